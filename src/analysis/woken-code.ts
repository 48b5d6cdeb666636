import type { LineSet } from "./line-set.ts";

/** How what is no code begins and ends in a family of languages, where it can go over several lines. */
interface Family {
  /** Whatever opens something, or is over at the end of its line. */
  readonly opens: RegExp;
  /** What ends that which was opened; what is not in it ends by itself. */
  readonly closes: Readonly<Record<string, string>>;
}

const STRINGS = String.raw`"(?:\\.|[^"\\\n])*|'(?:\\.|[^'\\\n])*`;
const C: Family = {
  opens: new RegExp(String.raw`//[^\n]*|/\*|\x60|${STRINGS}`, "g"),
  closes: { "/*": "*/", "`": "`" },
};
const BLOCK: Family = { opens: new RegExp(String.raw`(?://|#|--)[^\n]*|/\*|${STRINGS}`, "g"), closes: { "/*": "*/" } };
const MARKUP: Family = { opens: /<!--/g, closes: { "<!--": "-->" } };
const TRIPLE: Family = {
  opens: new RegExp(String.raw`#[^\n]*|"""|'''|${STRINGS}`, "g"),
  closes: { '"""': '"""', "'''": "'''" },
};

const FAMILIES: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(
    "JavaScript TypeScript C C# C++ Dart Go Groovy Java Kotlin Rust Scala Swift CSS"
      .split(" ")
      .map((name) => [name, C]),
  ),
  ...Object.fromEntries(["PHP", "Terraform", "SQL"].map((name) => [name, BLOCK])),
  ...Object.fromEntries(["HTML", "Vue", "Svelte"].map((name) => [name, MARKUP])),
  ...Object.fromEntries(["Python", "Elixir"].map((name) => [name, TRIPLE])),
};

/**
 * Whether lines that a change left as they are were within a comment or a string before it and are code now: they were not reviewed as code.
 * One pass over each side without a grammar, in time proportional to them.
 * @param added numbers of the lines that the change added, counted from 1
 */
export function wakesCode(before: string, after: string, language: string | undefined, added: LineSet): boolean {
  const family = language === undefined ? undefined : FAMILIES[language];
  if (family === undefined) return false;
  const [was, is] = [codeLines(before, family), codeLines(after, family)];
  if (was.all === was.code.length && is.all === is.code.length) return false;
  const known = new Set(was.code.map(({ text }) => text));
  return is.code.some(({ text, number }) => text.trim() !== "" && !added.has(number) && !known.has(text));
}

/** The lines that begin as code. */
function codeLines(text: string, { opens, closes }: Family): { readonly all: number; readonly code: Line[] } {
  const lines = text.split("\n");
  const code: Line[] = [];
  const spans = spansOf(text, opens, closes);
  let start = 0;
  let span = 0;
  for (const [at, line] of lines.entries()) {
    while (span < spans.length && spans[span]![1] <= start) span += 1;
    const inside = span < spans.length && spans[span]![0] < start;
    if (!inside) code.push({ text: line, number: at + 1 });
    start += line.length + 1;
  }
  return { all: lines.length, code };
}

interface Line {
  readonly text: string;
  readonly number: number;
}

/** Beginnings and ends of what is no code. */
function spansOf(text: string, opens: RegExp, closes: Family["closes"]): (readonly [from: number, to: number])[] {
  const spans: (readonly [number, number])[] = [];
  opens.lastIndex = 0;
  for (let opened = opens.exec(text); opened !== null; opened = opens.exec(text)) {
    const close = closes[opened[0]];
    if (close === undefined) {
      // The quote that ends a string of one line is no beginning of another.
      if (/["']/.test(opened[0][0]!) && text[opens.lastIndex] === opened[0][0]) opens.lastIndex += 1;
      continue;
    }
    let end = text.indexOf(close, opens.lastIndex);
    while (end !== -1 && close !== "*/" && close !== "-->" && text[end - 1] === "\\")
      end = text.indexOf(close, end + 1);
    opens.lastIndex = end === -1 ? text.length : end + close.length;
    spans.push([opened.index, opens.lastIndex]);
  }
  return spans;
}
