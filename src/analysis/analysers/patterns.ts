import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import type { PatternsResult } from "../child/find-insecure-code.ts";
import { type ChildFile, UNPARSED } from "../child/protocol.ts";
import { eachInTurn } from "../each-in-turn.ts";
import { SCRIPTS } from "../languages.ts";
import { type LinkedFile, type LinkedFiles, linkFiles } from "../linked-files.ts";
import { namePath } from "../name-path.ts";
import { definesCloud } from "../patterns/definitions/read-yaml.ts";
import { DEFINITION_RULES } from "../patterns/definitions/rules.ts";
import type { FileSummary } from "../patterns/file-summary.ts";
import { PYTHON_RULES } from "../patterns/python/rules.ts";
import { rowKeys } from "../patterns/row.ts";
import { RULES } from "../patterns/rules/all-rules.ts";
import type { PatternHit } from "../patterns/search.ts";
import { HOLES } from "../patterns/weak-guards.ts";
import { proposeFix } from "../propose-fix.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { severityIn } from "../severity-in.ts";
import { findLineStarts, placeOf, type SourceFile } from "../source-file.ts";

const READ = new Set<string>([...SCRIPTS, "py"]);

/** Foreign input that gets where it does harm, and settings that are insecure, by the tables in `patterns/`. */
export const patterns: Analyser = {
  name: "patterns",
  version: "6",
  layer: "security",
  readsFilesAlone: true,
  appliesTo: (file) => file.look === "all" && isRead(file),
  restsOn,
  analyse: findPatterns,
};

async function restsOn(files: readonly SourceFile[], context: AnalyserContext): Promise<LinkedFiles["digests"]> {
  const { digests, unfollowed } = await linkedFiles(files, context);
  if (unfollowed.size === 0) return digests;
  // What is kept of a file that stands alone does not say that it could not be followed.
  return new Map(files.map(({ path }) => [path, `${digests.get(path) ?? ""} unfollowed`]));
}

function isRead({ language, path, text }: SourceFile): boolean {
  const { name, dialect = "" } = language ?? {};
  if (dialect === "yaml") return definesCloud(namePath(path), text);
  return name === "Dockerfile" || READ.has(dialect);
}

const linked = new WeakMap<AnalyserContext, Promise<LinkedFiles>>();

/** Read once for the key under which results are kept and for the reading itself, of which some files may be spared. */
function linkedFiles(files: readonly SourceFile[], context: AnalyserContext): Promise<LinkedFiles> {
  const known = linked.get(context) ?? linkFiles(files, context.tree, context);
  linked.set(context, known);
  return known;
}

async function findPatterns(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const all = await linkedFiles(files, context);
  const wanted = new Map(files.map((file) => [file.path, file]));
  const groups = new Set(files.flatMap(({ path }) => all.digests.get(path) ?? []));
  const beside = all.files.filter(
    ({ path, changed }) => groups.has(all.digests.get(path) ?? "") && !(changed && wanted.has(path)),
  );
  const order = new Map(all.files.map(({ path }, at) => [path, at]));
  const asked = await eachInTurn(
    files,
    ({ path, text, language }): ChildFile => ({
      ...{ id: 0, path, text },
      ...defined({ dialect: language?.dialect, language: language?.name }),
    }),
  );
  const requests = [...asked, ...beside.map(({ path, text, dialect }): ChildFile => ({ id: 0, path, text, dialect }))]
    .sort((a, b) => placeIn(order, a) - placeIn(order, b))
    .map((each, id) => ({
      ...each,
      id,
      ...defined({ imports: all.files[order.get(each.path ?? "") ?? -1]?.imports }),
    }));
  const { results, unread } = await runInChild<PatternsResult>("patterns", requests, context, { learn: summariesOf });
  const pathOf = (id: number) => requests[id]?.path ?? "";
  const problems: AnalyserProblem[] = unread.flatMap(({ id, reason }) =>
    wanted.has(pathOf(id))
      ? [{ file: pathOf(id), reason: `not searched for insecure code: ${reason}`, gap: true }]
      : [],
  );
  for (const [id, result] of results) if (wanted.has(pathOf(id))) problems.push(...problemsOf(pathOf(id), result));
  const filesRead = files.length - problems.length;
  problems.push(...unfollowedOf(all.unfollowed, wanted));
  const startsIn = lineStartsIn(all.files, wanted);
  const hits = [...results].flatMap(([id, result]) =>
    "unread" in result ? [] : result.hits.map((hit): PlacedHit => ({ hit, in: pathOf(id) })),
  );
  const turn = takeTurns(TURN);
  const observations: Observation[] = [];
  for (const each of saidOnce(hits, wanted)) {
    const observation = observe(each, wanted, startsIn);
    if (observation !== undefined) observations.push(observation);
    await turn(1);
  }
  return { observations, filesRead, problems };
}

const TURN = { most: 100, unitsOfStep: 200 };

/** Where the lines of a file begin. Of a file around the change that is only looked up where a hit leads there. */
type LineStartsIn = (path: string) => readonly number[];

function lineStartsIn(linked: readonly LinkedFile[], wanted: ReadonlyMap<string, SourceFile>): LineStartsIn {
  const texts = new Map(linked.map(({ path, text }) => [path, text]));
  const known = new Map<string, readonly number[]>();
  return (path) => {
    const starts = wanted.get(path)?.lineStarts ?? known.get(path) ?? findLineStarts(texts.get(path) ?? "");
    known.set(path, starts);
    return starts;
  };
}

/** A hit, and the file in which it was found. */
interface PlacedHit {
  readonly hit: PatternHit;
  readonly in: string;
}

function placeIn(order: ReadonlyMap<string, number>, { path = "" }: ChildFile): number {
  return order.get(path) ?? order.size;
}

function summariesOf(results: ReadonlyMap<number, PatternsResult>): FileSummary[] {
  return [...results.values()].flatMap((result) => ("exports" in result && result.exports ? [result.exports] : []));
}

function problemsOf(file: string, result: PatternsResult): AnalyserProblem[] {
  if ("unread" in result) {
    // A file that does not parse is named by the syntax analyser, which knows whether the change brought that.
    const gap = result.unread !== UNPARSED;
    return [{ file, reason: `${gap ? "not searched for insecure code" : "not linted"}: ${result.unread}`, gap }];
  }
  if (!result.cut) return [];
  return [
    {
      file,
      reason: "not searched for insecure code to the end: its values are too long or too much to follow",
      gap: true,
    },
  ];
}

/** What is said where values were not followed from file to file: of changed files by name, of the others around them once. */
function unfollowedOf(paths: ReadonlySet<string>, wanted: ReadonlyMap<string, SourceFile>): AnalyserProblem[] {
  const what = "not searched for insecure code that begins or ends in other files";
  const named = [...paths].filter((path) => wanted.has(path));
  if (named.length > 0)
    return named.map((file) => ({ file, reason: `${what}: what it imports could not all be looked up`, gap: true }));
  if (paths.size === 0 || wanted.size === 0) return [];
  return [{ reason: `${what}: what files around the change import could not all be looked up`, gap: true }];
}

/** Of one place in a changed file the way with the most certain beginning: it may be reached from several others. */
function saidOnce(hits: readonly PlacedHit[], wanted: ReadonlyMap<string, SourceFile>): PlacedHit[] {
  const best = new Map<string, PlacedHit>();
  const crossed = new Set(hits.flatMap(({ hit }) => (hit.path === undefined ? [] : [keyOf(hit.path, hit)])));
  const kept: PlacedHit[] = [];
  for (const each of hits) {
    const path = each.hit.path ?? each.in;
    const key = keyOf(path, each.hit);
    const way = wanted.has(path) ? key : `${key} ${each.in} ${each.hit.way[0]?.offset}`;
    if (!crossed.has(key)) kept.push(each);
    else if (each.hit.confidence > (best.get(way)?.hit.confidence ?? 0)) best.set(way, each);
  }
  return [...kept, ...best.values()];
}

function keyOf(path: string, { rule, from }: PatternHit): string {
  return `${rule} ${from} ${path}`;
}

function hasAdded({ addedLines }: SourceFile, first: number, last: number): boolean {
  for (let line = first; line <= last; line += 1) if (addedLines.has(line)) return true;
  return false;
}

function observe(
  { hit, in: home }: PlacedHit,
  wanted: ReadonlyMap<string, SourceFile>,
  startsIn: LineStartsIn,
): Observation | undefined {
  const path = hit.path ?? home;
  const lineOf = (place: string, offset: number) => placeOf(startsIn(place), offset).line;
  const way = hit.way.map(({ offset, text, path: at = home }) => ({ path: at, line: lineOf(at, offset), text }));
  const sink = wanted.get(path);
  const start = sink && placeOf(sink.lineStarts, hit.from);
  const end = sink && placeOf(sink.lineStarts, hit.to);
  const isAdded = start && end && hasAdded(sink, start.line, end.line);
  // The change opens the way to a place that it leaves alone: said where it does.
  const opens = isAdded ? undefined : way.find((step) => wanted.get(step.path)?.addedLines.has(step.line));
  const file = (opens && wanted.get(opens.path)) ?? sink;
  if (file === undefined) return undefined;
  const { fix, confidence } = hit;
  const edit = fix && {
    start: placeOf(file.lineStarts, fix.from),
    end: placeOf(file.lineStarts, fix.to),
    text: fix.text,
  };
  const proposed = edit && proposeFix(file, edit);
  const at = opens ? { line: opens.line, column: 1 } : start;
  if (at === undefined) return undefined;
  const place =
    opens || end === undefined
      ? { line: at.line, endLine: at.line }
      : { line: at.line, column: at.column, endLine: end.line, endColumn: end.column };
  return {
    source: "security",
    rule: `patterns/${hit.rule}`,
    severity: severityIn(file, { severity: hit.severity, confidence }, at),
    category: "security",
    file: file.path,
    ...place,
    ...describeHit(hit),
    ...(way.length < 2
      ? {}
      : { flow: way.map(({ path: at, ...step }) => (at === file.path ? step : { path: at, ...step })) }),
    confidence,
    ...(proposed ? { fix: proposed } : {}),
  };
}

const ROWS = new Map(
  [RULES, PYTHON_RULES, DEFINITION_RULES].flatMap((rules) => [...rowKeys(rules)].map(([row, key]) => [key, row])),
);

/** What a user reads of a hit: the fact, what an attacker does with it, and the smallest change that fixes it. */
export function describeHit({ row, what, severity, hole }: Pick<PatternHit, "row" | "what" | "severity" | "hole">): {
  readonly message: string;
  readonly why: string;
  readonly remedy?: string;
} {
  const words = ROWS.get(row)?.words;
  if (words === undefined) return { message: "This code is insecure.", why: "" };
  const { attack, mend: remedy } = words;
  const why = `${hole === undefined ? "" : `${HOLES[hole]} `}${attack}`;
  if (what === undefined) return { message: words.what, why, remedy };
  const label = `\`${what.label.replaceAll("`", "'")}\``;
  if (what.source === undefined || severity === "info") {
    const origin = what.source === undefined ? "" : `, perhaps from ${what.source},`;
    return { message: `When foreign input gets here: ${label}${origin} ${words.what}.`, why, remedy };
  }
  return { message: `${label} comes from ${what.source} and ${words.what}.`, why, remedy };
}
