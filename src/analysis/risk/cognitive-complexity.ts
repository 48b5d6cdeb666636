import { parseSync } from "oxc-parser";
import { defined } from "../../domain/defined.ts";
import type { ChildFile, ComplexityResult } from "../child/protocol.ts";
import type { Dialect } from "../languages.ts";
import type { LineSet } from "../line-set.ts";
import { findLineStarts, placeOf } from "../source-file.ts";
import { findIncrements } from "./complexity-increments.ts";

/** An outermost function or method; functions inside it belong to it. */
export interface FunctionComplexity {
  /** Undefined for a function without a name of its own. */
  readonly name?: string;
  readonly line: number;
  readonly endLine: number;
  readonly total: number;
  /** The part of `total` that stands on added lines. */
  readonly added: number;
}

/**
 * Cognitive complexity of the functions that hold an added line: how hard the flow of a function is to follow. What counts is written
 * at `findIncrements`. Undefined where the file is no script or does not parse. The parser is native and dies of deep nesting: call it
 * in a process that may die.
 */
export function cognitiveComplexity(file: {
  readonly text: string;
  readonly dialect: Dialect;
  readonly addedLines: LineSet;
}): FunctionComplexity[] | undefined {
  const { text, dialect, addedLines } = file;
  const program = parse(text, dialect);
  if (program === undefined) return undefined;
  const lineStarts = findLineStarts(text);
  const lineOf = (offset: number) => placeOf(lineStarts, offset).line;
  return findIncrements(program).flatMap(({ name, start, end, increments }) => {
    const [line, endLine] = [lineOf(start), lineOf(Math.max(start, end - 1))];
    if (!holdsAny(addedLines, line, endLine)) return [];
    const sum = (wanted: typeof increments) => wanted.reduce((total, { points }) => total + points, 0);
    const added = sum(increments.filter(({ offset }) => addedLines.has(lineOf(offset))));
    return [{ ...defined({ name }), line, endLine, total: sum(increments), added }];
  });
}

const NOT_SCRIPTS: ReadonlySet<Dialect> = new Set(["json", "jsonc", "css", "yaml"]);
const TYPED: ReadonlySet<Dialect> = new Set(["ts", "mts", "cts", "d.ts"]);

function parse(text: string, dialect: Dialect) {
  if (NOT_SCRIPTS.has(dialect)) return undefined;
  const options = { preserveParens: false, sourceType: "unambiguous" } as const;
  const lang = dialect === "d.ts" ? "dts" : TYPED.has(dialect) ? "ts" : dialect === "tsx" ? "tsx" : "jsx";
  const result = parseSync("file", text, { ...options, lang });
  if (isWhole(result)) return result.program;
  // A script of Node may return at its top, and plain `.js` may hold types for a checker that strips them.
  const other =
    lang === "jsx"
      ? [{ lang, sourceType: "commonjs" } as const, { lang: "tsx" } as const]
      : [{ lang, sourceType: "commonjs" } as const];
  return other.map((more) => parseSync("file", text, { ...options, ...more })).find(isWhole)?.program;
}

function isWhole(result: ReturnType<typeof parseSync>): boolean {
  return result.errors.every(({ severity }) => severity !== "Error");
}

function holdsAny(lines: LineSet, from: number, to: number): boolean {
  for (const line of lines) if (from <= line && line <= to) return true;
  return false;
}

/** The cognitive complexity that the added lines of a script bring into its functions; null where it does not parse. */
export function measureComplexity({ text, dialect, addedLines = [] }: ChildFile): ComplexityResult {
  if (dialect === undefined) return null;
  const functions = cognitiveComplexity({ text, dialect, addedLines: new Set(addedLines) });
  return functions === undefined ? null : { added: functions.reduce((sum, { added }) => sum + added, 0) };
}
