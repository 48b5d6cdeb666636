import { createHash } from "node:crypto";
import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "../analyser.ts";
import type { TypeHit, TypesResult } from "../child/protocol.ts";
import { eachInTurn } from "../each-in-turn.ts";
import { type AliasImports, aliasImports } from "../imports/alias-imports.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { placeOf, type SourceFile } from "../source-file.ts";
import { blankExpectedErrors, blankSuppressions } from "../suppressions.ts";

/** Program and types of all files are held at once and take 30 times their text; checking them takes 1 s for 400 KB. */
const MOST_CHARACTERS = 2_000_000;

const CHECKED = new Set(["ts", "mts", "cts", "tsx"]);

/**
 * Errors of types that are certain without the project's packages and settings: wrong names of properties and numbers of arguments of
 * what the change itself declares, comparisons that never hold, writes to what is read-only. All other types are not checked.
 */
export const types: Analyser = {
  name: "types",
  version: "3",
  layer: "static",
  readsFilesAlone: true,
  appliesTo: ({ language }) => language?.dialect !== undefined && CHECKED.has(language.dialect),
  restsOn: async (files, context) => {
    together.set(context, files);
    if (isTooMuch(files)) return new Map();
    const digest = await digestOf(files, await importsOf(files, context));
    return new Map(files.map(({ path }) => [path, digest]));
  },
  analyse: async (files, context) => {
    const wanted = new Set(files.map(({ path }) => path));
    return check(together.get(context) ?? files, wanted, context);
  },
};

/** A file is checked with all others of its change, also where only it is asked for. */
const together = new WeakMap<AnalyserContext, readonly SourceFile[]>();

const aliases = new WeakMap<AnalyserContext, Promise<AliasImports>>();

/** Looked up once for the key under which results are kept and for the check itself. */
function importsOf(files: readonly SourceFile[], context: AnalyserContext): Promise<AliasImports> {
  const known = aliases.get(context) ?? aliasImports(files, context);
  aliases.set(context, known);
  return known;
}

async function digestOf(files: readonly SourceFile[], imports: AliasImports): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([...imports]));
  await eachInTurn(files, (file) => {
    const text = withoutSuppressions(file);
    hash.update(`${file.path.length} ${text.length}\0`).update(file.path).update(text);
  });
  return hash.digest("hex");
}

async function check(
  files: readonly SourceFile[],
  wanted: ReadonlySet<string>,
  context: AnalyserContext,
): Promise<AnalyserResult> {
  if (isTooMuch(files)) {
    const note = `Types were not checked: ${Math.round(sizeOf(files) / 1e6)} MB of TypeScript are too much to check at once.`;
    return { observations: [], filesRead: 0, problems: [], idle: true, notes: [note] };
  }
  const imports = await importsOf(files, context);
  const { results, unread } = await runInChild<TypesResult>(
    "types",
    await eachInTurn(files, (file, id) => ({
      ...{ id, path: file.path, text: withoutSuppressions(file) },
      ...{ dialect: "ts" as const, ...defined({ imports: imports.get(file.path) }) },
    })),
    context,
  );
  const checked = [...results].filter(([, hits]) => hits !== "too deep");
  const read = checked.filter(([id]) => wanted.has(files[id]?.path ?? ""));
  const observations = await eachInTurn(files, (file, id) => {
    const hits = results.get(id) ?? [];
    return hits === "too deep" ? [] : hits.flatMap((hit) => observe(file, hit));
  });
  const left = results.size - checked.length + unread.length;
  // A part of what a compiler would check is all that this can be: not having it is no gap of the review.
  const notes = left === 0 ? [] : [`Types were not checked in ${left} of ${files.length} files.`];
  return { observations: observations.flat(), filesRead: read.length, problems: [], notes };
}

function isTooMuch(files: readonly SourceFile[]): boolean {
  return sizeOf(files) > MOST_CHARACTERS;
}

function sizeOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.length, 0);
}

/** As long as before, so that places stay what they are. */
function withoutSuppressions({ text, addedLines, test }: SourceFile): string {
  const heard = blankSuppressions(text, addedLines);
  return test ? heard : blankExpectedErrors(heard, addedLines);
}

interface Words {
  readonly rule: string;
  readonly message: (name: string) => string;
  readonly why: string;
  readonly severity?: "warning";
  readonly confidence: number;
}

const UNKNOWN_PROPERTY: Words = {
  rule: "unknown-property",
  message: (name) => `There is no property \`${name}\` in this type.`,
  why: "The type is declared in this change and does not have it: reading it gives undefined, and the compiler refuses it.",
  confidence: 0.85,
};

const ARGUMENT_COUNT: Words = {
  rule: "argument-count",
  message: () => "This call has not as many arguments as the function takes.",
  why: "The function is declared in this change: what is missing is undefined in it, what is too much is ignored.",
  confidence: 0.85,
};

const WORDS: ReadonlyMap<number, Words> = new Map([
  [2339, UNKNOWN_PROPERTY],
  [2551, UNKNOWN_PROPERTY],
  [2554, ARGUMENT_COUNT],
  [2555, ARGUMENT_COUNT],
  [
    2367,
    {
      rule: "never-equal",
      message: () => "These two can never be equal.",
      why: "Their types have no value in common, so the comparison always has the same result.",
      severity: "warning",
      confidence: 0.85,
    },
  ],
  [
    2540,
    {
      rule: "read-only",
      message: (name) => `\`${name}\` is read-only and is written here.`,
      why: "Its type promises that it does not change; the compiler refuses this.",
      confidence: 0.85,
    },
  ],
]);

function observe(file: SourceFile, { code, offset, length }: TypeHit): Observation[] {
  const words = WORDS.get(code);
  if (words === undefined) return [];
  const start = placeOf(file.lineStarts, offset);
  const end = placeOf(file.lineStarts, offset + length);
  return [
    {
      source: "static",
      rule: `types/${words.rule}`,
      severity: words.severity ?? "error",
      category: "correctness",
      file: file.path,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
      message: words.message(file.text.slice(offset, offset + length).slice(0, 80)),
      why: words.why,
      confidence: words.confidence,
    },
  ];
}
