import { parseScript } from "../child/eslint/parse-script.ts";
import { readings } from "../child/readings.ts";
import { type Dialect, SCRIPTS } from "../languages.ts";
import { findLineStarts } from "../source-file.ts";

/** What stands at a place of a text: code that runs, a string, or a comment. */
export const CODE = 0;
export const STRING = 1;
export const COMMENT = 2;
export type Regions = Uint8Array;

/** How comments and strings of a family of languages begin and end. */
interface Family {
  readonly line: readonly string[];
  readonly block?: readonly [open: string, close: string];
  readonly quotes: string;
  /** Strings over several lines. */
  readonly long?: readonly string[];
}

const C: Family = { line: ["//"], block: ["/*", "*/"], quotes: "\"'", long: ["`"] };
const HASH: Family = { line: ["#"], quotes: "\"'" };
const FAMILIES: Readonly<Record<string, Family>> = {
  ...of(
    C,
    "JavaScript",
    "TypeScript",
    "C",
    "C#",
    "C++",
    "Dart",
    "Go",
    "Groovy",
    "Java",
    "Kotlin",
    "Rust",
    "Scala",
    "Swift",
  ),
  ...of(C, "Assembly", "CUDA", "D", "Objective-C", "Solidity", "Zig", "Verilog", "Clojure"),
  ...of({ line: [], block: ["/*", "*/"], quotes: "\"'" }, "CSS"),
  ...of({ line: ["//"], block: ["(*", "*)"], quotes: '"' }, "F#", "OCaml", "Delphi"),
  ...of({ line: ["--"], block: ["{-", "-}"], quotes: '"' }, "Haskell", "Elm", "Ada"),
  ...of({ ...HASH, long: ['"""', "'''"] }, "Python", "Elixir", "Julia", "GDScript", "Starlark", "Nim"),
  ...of(
    HASH,
    ...["Dockerfile", "Make", "PowerShell", "Ruby", "Shell", "Perl", "R", "Crystal", "Fish", "Just", "CMake", "Nix"],
    ...["AWK", "Tcl", "Meson", "CoffeeScript", "HCL"],
  ),
  ...of({ line: ["//", "#"], block: ["/*", "*/"], quotes: "\"'" }, "PHP", "Terraform"),
  ...of({ line: ["--"], block: ["/*", "*/"], quotes: "\"'" }, "SQL", "Lua"),
  Batch: { line: ["::"], quotes: '"' },
};

function of(family: Family, ...languages: readonly string[]): Record<string, Family> {
  return Object.fromEntries(languages.map((language) => [language, family]));
}

const READ: ReadonlySet<Dialect> = new Set([...SCRIPTS, "d.ts"]);

/** Where a text is code; undefined for data and prose, where nothing is. */
export function regionsOf(text: string, language: string | undefined, dialect?: Dialect): Regions | undefined {
  const family = language === undefined ? undefined : FAMILIES[language];
  if (family === undefined) return undefined;
  const parsed = dialect !== undefined && READ.has(dialect) ? ofScript(text, dialect) : undefined;
  return parsed ?? scan(text, family);
}

function ofScript(text: string, dialect: Dialect): Regions | undefined {
  const lineStarts = findLineStarts(text);
  for (const options of readings(dialect)) {
    const parsed = parseScript(text, lineStarts, options);
    if (parsed === undefined) continue;
    const { comments, tokens } = parsed.ast as unknown as Record<
      "comments" | "tokens",
      { type: string; start: number; end: number }[]
    >;
    const regions = new Uint8Array(text.length);
    for (const { start, end } of comments) regions.fill(COMMENT, start, end);
    for (const { type, start, end } of tokens)
      if (/^(?:String|Template|RegularExpression|JSXText)$/.test(type)) regions.fill(STRING, start, end);
    return regions;
  }
  return undefined;
}

/** One pass without a grammar. A string of one line ends with it, so that a stray quote spoils no more than its line. */
function scan(text: string, { line, block, quotes, long = [] }: Family): Regions {
  const regions = new Uint8Array(text.length);
  const mark = (from: number, to: number, region: number) => {
    const end = to < 0 ? text.length : to;
    regions.fill(region, from, end);
    return end;
  };
  for (let at = 0; at < text.length; ) {
    const opened = long.find((quote) => text.startsWith(quote, at));
    if (opened !== undefined) at = mark(at, endOf(text, at + opened.length, opened, true), STRING);
    else if (block && text.startsWith(block[0], at)) {
      const close = text.indexOf(block[1], at + 2);
      at = mark(at, close < 0 ? -1 : close + block[1].length, COMMENT);
    } else if (line.some((start) => text.startsWith(start, at) && begins(text, at, start)))
      at = mark(at, text.indexOf("\n", at), COMMENT);
    else if (quotes.includes(text[at] ?? " ")) at = mark(at, endOf(text, at + 1, text[at] ?? "", false), STRING);
    else at += 1;
  }
  return regions;
}

/** A hash within a word is no comment: `$#`, `a#b`. */
function begins(text: string, at: number, start: string): boolean {
  return start !== "#" || at === 0 || /[\s;(){}]/.test(text[at - 1] ?? "");
}

function endOf(text: string, from: number, quote: string, long: boolean): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (!long && text[at] === "\n") return at;
  }
  return -1;
}
