import type { LayerReport, ReviewCoverage, UncoveredFile } from "../../domain/review-report.ts";
import { layerName } from "./missing-part.ts";
import { count, foreignCode, foreignLine, shortSha, type Wording } from "./wording.ts";

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
      ? [`Not analysed, only searched for secrets and disguises: ${namedFiles(coverage.searchedOnly, wording)}.`]
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

/** "`a.js`, `b.js` (generated), `c.json` (larger than 1 MB)". Gaps first: they are what somebody has to look at. */
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
