import type { LayerReport, ReviewCoverage, UncoveredFile } from "../../../domain/review-report.ts";
import { count, foreignCode, foreignLine, shortSha, type Wording } from "../wording.ts";

/** Files that are named one by one; the others are counted. */
const MAXIMUM_NAMED = 10;

/** "all 12 changed files, 214 added lines, at `3f2c1ab`: static, security. Not looked at: `dist/app.js` (generated)." */
export function lookedAt(coverage: ReviewCoverage, wording: Wording): string {
  const { files, filesCovered, addedLines, addedLinesCovered, headSha } = coverage;
  const whatFiles =
    filesCovered === files
      ? `all ${count(files, "changed file")}`
      : `${filesCovered} of ${count(files, "changed file")}`;
  const whatLines =
    addedLinesCovered === addedLines
      ? count(addedLines, "added line")
      : `${addedLinesCovered.toLocaleString("en-US")} of ${count(addedLines, "added line")}`;
  const ran = coverage.layers.filter(({ state }) => state === "ran" || state === "partly");
  const layers = ran.map((layer) => {
    const facts = [...(layer.state === "partly" ? ["partly"] : []), ...tried(layer)];
    return facts.length > 0 ? `${layerName(layer.layer)} (${facts.join(", ")})` : layerName(layer.layer);
  });
  const by = layers.length > 0 ? layers.join(", ") : "no layer ran";
  return [
    `${files === 1 && filesCovered === 1 ? "the changed file" : whatFiles}, ${whatLines}, at \`${shortSha(headSha)}\`: ${by}.`,
    ...(coverage.uncovered.length > 0 ? [`Not looked at: ${namedFiles(coverage.uncovered, wording)}.`] : []),
    ...(coverage.searchedOnly
      ? [`Not analyzed, only searched for secrets and disguises: ${namedFiles(coverage.searchedOnly, wording)}.`]
      : []),
  ].join(" ");
}

/** What became of a model's claims, where there were any: "1 verified, 2 refuted". */
function tried({ counts }: LayerReport): string[] {
  if (!counts) return [];
  const said = [...(counts.verified > 0 ? [`${counts.verified} verified`] : [])];
  return counts.refuted > 0 ? [...said, `${counts.refuted} refuted`] : said;
}

/**
 * Every layer that did not do its whole work, with the reason (GH-11a); one that is not configured is not missing. What `said` tells
 * already is not repeated.
 */
export function layerProblems({ layers }: ReviewCoverage, said: string, wording: Wording): string[] {
  return layers.flatMap(({ layer, state, reason }) => {
    if (state !== "failed" && state !== "partly" && state !== "waiting") return [];
    const why = reason === undefined ? "no reason was given" : foreignLine(reason, wording);
    const what = WHAT[state];
    return reason !== undefined && said.includes(why) ? [] : [`**The ${layerName(layer)} layer ${what}**: ${why}`];
  });
}

const WHAT = { failed: "did not run", partly: "did not look at everything", waiting: "has not run yet" } as const;

/** "`a.js`, `b.js` (generated), `c.json` (larger than 1 MB)". Gaps first: a reviewer has to look at them. */
function namedFiles(uncovered: readonly (Omit<UncoveredFile, "gap"> & { gap?: boolean })[], wording: Wording): string {
  const ordered = [...uncovered].sort((a, b) => Number(b.gap ?? false) - Number(a.gap ?? false));
  const byReason = Map.groupBy(ordered.slice(0, MAXIMUM_NAMED), ({ reason }) => reason);
  const named = [...byReason].map(([reason, files]) => {
    const paths = files.map(({ path }) => foreignCode(path, wording)).join(", ");
    return `${paths} (${foreignLine(reason, wording)})`;
  });
  const rest = ordered.length - MAXIMUM_NAMED;
  return rest > 0 ? `${named.join(", ")} and ${count(rest, "more file")}` : named.join(", ");
}

/** What a review should have looked at and did not (GH-11a), in a few words; undefined when it saw everything. The text is not neutral yet. */
export function missingPart({ layers, uncovered }: ReviewCoverage): string | undefined {
  const layer = layers.find(({ state }) => state === "failed") ?? layers.find(({ state }) => state === "partly");
  const gaps = uncovered.filter(({ gap }) => gap);
  if (layer?.state === "failed") return layer.reason ?? `the ${layerName(layer.layer)} layer did not run`;
  if (layer && gaps.length === 0) return layer.reason ?? `the ${layerName(layer.layer)} layer did not see everything`;
  const waiting = layers.find(({ state }) => state === "waiting");
  if (waiting && gaps.length === 0) return `the ${layerName(waiting.layer)} layer waits for \`/forge trust\``;
  if (gaps.length === 0) return undefined;
  const [first] = gaps;
  const which = gaps.length === 1 ? `${first!.path} (${first!.reason})` : count(gaps.length, "file");
  return `left out ${which}`;
}

function layerName(layer: string): string {
  return layer === "ai" ? "AI" : layer;
}

/**
 * Code that no analyzer reads, in a few words: "src/main.rs (Rust)", "3 files (Go, Rust)"; undefined without any. The text
 * is not neutral yet.
 */
export function notAnalysed({ searchedOnly = [] }: ReviewCoverage): string | undefined {
  const [first] = searchedOnly;
  if (first === undefined) return undefined;
  if (searchedOnly.length === 1) return `${first.path} (${first.reason})`;
  return `${count(searchedOnly.length, "file")} (${[...new Set(searchedOnly.map(({ reason }) => reason))].sort().join(", ")})`;
}

/**
 * What stands where "Clean" would claim too much, because no file was read: "Nothing was read: 2 files left out (generated)", "Nothing to
 * read: 1 file deleted". Undefined when something was. The text is not neutral yet.
 */
export function nothingRead({ files, filesCovered, uncovered }: ReviewCoverage): string | undefined {
  if (filesCovered > 0) return undefined;
  if (files === 0) return "Nothing to read: no file is changed";
  if (uncovered.length > 0 && uncovered.every(({ reason }) => reason === "deleted"))
    return `Nothing to read: ${count(files, "file")} deleted`;
  const reasons = [...new Set(uncovered.map(({ reason }) => reason))];
  const why = reasons.length === 1 ? ` (${reasons[0]})` : "";
  return `Nothing was read: ${count(files, "file")} left out${why}`;
}
