import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "../analyser.ts";
import { BIOME_VERSION, runBiome } from "../biome-program.ts";
import type { BiomeRule, Declared, ReportedPlace } from "../biome-rule.ts";
import { BIOME_RULES, biomeLintConfiguration } from "../biome-rules.ts";
import { type SyntaxResult, UNPARSED } from "../child/protocol.ts";
import { addedLinesOnly } from "../filter-observations.ts";
import { isolateCrashes } from "../isolate-crashes.ts";
import { SCRIPTS } from "../languages.ts";
import { applyFix, proposeFix } from "../propose-fix.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { severityIn } from "../severity-in.ts";
import { lineText, type SourceFile } from "../source-file.ts";
import { blankSuppressions } from "../suppressions.ts";

const Position = z.object({ line: z.number().int(), column: z.number().int() });
const Range = z.object({ start: Position, end: Position });

/** What we read of Biome's `rdjson` report. Columns count code points. */
const Report = z.object({
  diagnostics: z.array(
    z.object({
      code: z.object({ value: z.string() }).optional(),
      message: z.string(),
      location: z.object({ path: z.string(), range: Range.optional() }).optional(),
      suggestions: z.array(z.object({ range: Range, text: z.string() })).optional(),
    }),
  ),
});
type Diagnostic = z.infer<typeof Report>["diagnostics"][number];

const LINTED = new Set<string>([...SCRIPTS, "json", "jsonc", "css"]);

/** Biome's linter with Forge's own choice of rules and none of the repository's configuration. */
export const biomeLint: Analyser = {
  name: "biome",
  version: BIOME_VERSION,
  layer: "static",
  readsFilesAlone: true,
  appliesTo: ({ language }) => language?.dialect !== undefined && LINTED.has(language.dialect),
  analyse: lint,
};

async function lint(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const configuration = biomeLintConfiguration();
  const { results, culprits } = await isolateCrashes(files, async (part, attempt) => {
    const scratchFiles = part.map((file, index) => ({ name: scratchName(file, index), text: prepare(file) }));
    const run = await runBiome(LINT, configuration, `lint-${attempt}`, scratchFiles, context);
    if (context.signal.aborted) return { failure: "the review was stopped" };
    if (run.timedOut) return { failure: "the linter took too long on it" };
    if (run.truncated) return { failure: "the linter has more to say about it than can be kept" };
    if (!run.ok) return { failure: "the linter broke down on it" };
    const { diagnostics } = Report.parse(JSON.parse(run.stdout.toString("utf8")));
    // What rules say about a tree that the parser repaired by guessing is guesswork too.
    const broken = new Set(diagnostics.filter(isParseError).map((diagnostic) => fileOf(part, diagnostic)));
    const sound = diagnostics.filter((diagnostic) => !broken.has(fileOf(part, diagnostic)));
    return { result: { broken, observations: sound.flatMap((diagnostic) => observe(part, diagnostic)) } };
  });
  const observations = await keepParsingFixes(
    results.flatMap((result) => result.observations),
    files,
    context,
  );
  const broken = new Set(results.flatMap((result) => [...result.broken]).filter((file) => file !== undefined));
  const problems = [
    ...culprits.map(({ file, reason }) => ({ file: file.path, reason: `not linted: ${reason}`, gap: true })),
    ...[...broken].map(({ path }) => ({ file: path, reason: `not linted: ${UNPARSED}`, gap: false })),
  ];
  return { observations, filesRead: files.length - problems.length, problems };
}

const LINT = ["lint", "--reporter=rdjson", "--max-diagnostics=none", "--no-errors-on-unmatched"];

/** Neutral, so that no name of the repository is an option, a configuration file or a path out of the folder. */
function scratchName(file: SourceFile, index: number): string {
  return `f${index}.${file.language?.dialect ?? "js"}`;
}

/** Equally long, and with the same lines for Biome as for git, which knows no line separators but the line feed. */
function prepare(file: SourceFile): string {
  return blankSuppressions(file.text, file.addedLines).replace(/\r(?!\n)|[\u2028\u2029]/g, " ");
}

function isParseError(diagnostic: Diagnostic): boolean {
  return diagnostic.code?.value === "parse";
}

function fileOf(files: readonly SourceFile[], diagnostic: Diagnostic): SourceFile | undefined {
  const index = /^(?:.*[\\/])?f(\d+)\.[a-z.]+$/.exec(diagnostic.location?.path ?? "")?.[1];
  return index === undefined ? undefined : files[Number(index)];
}

function observe(files: readonly SourceFile[], diagnostic: Diagnostic): Observation[] {
  const rule = BIOME_RULES.get(diagnostic.code?.value.replace(/^lint\//, "") ?? "");
  const file = fileOf(files, diagnostic);
  const range = diagnostic.location?.range;
  if (rule === undefined || file === undefined || range === undefined) return [];
  const start = { line: range.start.line, column: toUtf16Column(file, range.start) };
  const end = { line: range.end.line, column: toUtf16Column(file, range.end) };
  const place = reportedPlace(file, start, end);
  if (!isMeant(rule, diagnostic.message, file, place)) return [];
  const suggestion = rule.fix && diagnostic.suggestions?.length === 1 ? diagnostic.suggestions[0] : undefined;
  const fix =
    suggestion === undefined
      ? undefined
      : proposeFix(file, {
          start: { line: suggestion.range.start.line, column: toUtf16Column(file, suggestion.range.start) },
          end: { line: suggestion.range.end.line, column: toUtf16Column(file, suggestion.range.end) },
          text: suggestion.text,
        });
  return [
    {
      source: "static",
      rule: `biome/${rule.name}`,
      severity: rule.habit?.(place) ? "info" : severityIn(file, rule, start),
      category: rule.category,
      file: file.path,
      ...(rule.atEnd ? { line: end.line } : { ...start, endColumn: end.column }),
      endLine: Math.max(start.line, end.line),
      message: naming(rule.message, lineText(file, start.line).slice(start.column - 1)),
      why: rule.why,
      confidence: rule.confidence,
      ...defined({ fix }),
    },
  ];
}

/** "The key `region` is ...": the message with the name that the code begins with; without one, the message does without. */
function naming(message: string, code: string): string {
  const [name] = /^(?:case )?[\w$#"'-]{1,60}/.exec(code) ?? [];
  const shown = name?.replace(/^case /, "") ?? "";
  return shown === "" ? message.replace(" {}", "") : message.replace("{}", `\`${shown}\``);
}

type Position = { readonly line: number; readonly column: number };

/** Rules look at what stands right before a place. */
const LONGEST_BEFORE = 500;

const TYPED = /^[cm]?tsx?$/;

function reportedPlace(file: SourceFile, start: Position, end: Position): ReportedPlace {
  const { text } = file;
  const [from, to] = [offsetOf(file, start), offsetOf(file, end)];
  const lineStart = offsetOf(file, { line: start.line, column: 1 });
  return {
    code: text.slice(from, to),
    before: text.slice(Math.max(lineStart, from - LONGEST_BEFORE), from),
    above: text.slice(Math.max(0, from - LONGEST_BEFORE), from),
    rest: text.slice(to),
    declared: () => declaredIn(file),
    typed: TYPED.test(file.language?.dialect ?? ""),
  };
}

function isMeant(rule: BiomeRule, message: string, file: SourceFile, place: ReportedPlace): boolean {
  if (rule.jsx && !/[jt]sx$/.test(file.language?.dialect ?? "")) return false;
  if (rule.saying && !rule.saying.test(message)) return false;
  if (rule.after && !rule.after.test(place.before)) return false;
  return !rule.unless?.(place);
}

const declarations = new WeakMap<SourceFile, Declared>();

/** Looked for once: a file may have ten thousand places that ask. */
function declaredIn(file: SourceFile): Declared {
  const known = declarations.get(file) ?? {
    byVar: /\bvar\b/.test(file.text),
    names: new Set([...file.text.matchAll(/\b(?:let|const|class|enum)\s+([\w$]+)/g)].map(([, name]) => name ?? "")),
  };
  declarations.set(file, known);
  return known;
}

function offsetOf({ lineStarts }: SourceFile, { line, column }: Position): number {
  return (lineStarts[line - 1] ?? 0) + column - 1;
}

/** Of a column in code points. A line may have a megabyte and ten thousand places in it, so that its letters are counted once. */
function toUtf16Column(file: SourceFile, { line, column }: Position): number {
  const text = lineText(file, line);
  const { units, points } = unitsBefore(file, line, text);
  if (points === undefined) return column;
  return (points[column - 1] ?? units + 1) + Math.max(0, column - 1 - points.length);
}

interface Columns {
  readonly line: number;
  readonly units: number;
  /** For each code point the column of its first unit; none where all have one unit. */
  readonly points?: readonly number[];
}

/** Places come in the order of the lines, so that the last line asked for is the one to keep. */
const lastLines = new WeakMap<SourceFile, Columns>();

function unitsBefore(file: SourceFile, line: number, text: string): Columns {
  const known = lastLines.get(file);
  if (known?.line === line) return known;
  const columns: Columns = {
    line,
    units: text.length,
    ...(/[\ud800-\udbff]/.test(text) ? { points: pointsOf(text) } : {}),
  };
  lastLines.set(file, columns);
  return columns;
}

function pointsOf(text: string): number[] {
  const points: number[] = [];
  let units = 0;
  for (const character of text) {
    points.push(units + 1);
    units += character.length;
  }
  return points;
}

/** A review shows 20 comments and as many suggestions; parsing more patched files is time for nothing. */
const MOST_FIXES = 100;

/** The observations on added lines, each with its fix only when the file still parses with that fix applied (REV-4). */
async function keepParsingFixes(
  observations: readonly Observation[],
  files: readonly SourceFile[],
  context: AnalyserContext,
): Promise<Observation[]> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const relevant = addedLinesOnly(observations, byPath);
  const patched = relevant.flatMap(({ file, fix }, id) => {
    const source = byPath.get(file);
    const dialect = source?.language?.dialect;
    return fix && source && dialect ? [{ id, text: applyFix(source, fix), dialect }] : [];
  });
  if (patched.length === 0) return relevant;
  const { results } = await runInChild<SyntaxResult>("syntax", patched.slice(0, MOST_FIXES), context);
  return relevant.map((observation, id) => {
    if (observation.fix === undefined || results.get(id) === null) return observation;
    const { fix: _unproven, ...rest } = observation;
    return rest;
  });
}
