/** Characters of a line that a report quotes. */
export const LONGEST_NOTE = 100;
/** Real lists are shorter. What is longer is named as not read. */
const LONGEST_VALUE = 50_000;
const TOKEN = /#[^\n]*|[rRuUbBfF]{0,2}(?:"""|'''|"|')|[[({]|[\])}]|[,:+\n]|[A-Za-z_][\w.]*|\S/g;

/** What an expression of Python is made of, without running it. */
export interface PythonValue {
  readonly texts: readonly string[];
  /** What else it is made of: names and calls, which only running it would tell. */
  readonly rest: string;
  /** Where it ends in the whole text. */
  readonly end: number;
}

/** One expression, to the comma, bracket or end of line that ends it; without what its brackets are. */
export function readValue(text: string, from: number): PythonValue {
  const source = text.slice(from, from + LONGEST_VALUE);
  const [texts, rest]: [string[], string[]] = [[], []];
  let depth = 0;
  let end = source.length;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(source); found !== null; found = TOKEN.exec(source)) {
    const [token] = found;
    if (/["']$/.test(token)) {
      const quote = token.replace(/^[a-zA-Z]{1,2}/, "");
      const close = source.indexOf(quote, TOKEN.lastIndex);
      if (close === -1) return { texts, rest: [...rest, "…"].join(" "), end: from + source.length };
      const written = source.slice(TOKEN.lastIndex, close);
      TOKEN.lastIndex = close + quote.length;
      // The keys of extras are no packages.
      if (!/^\s{0,20}:/.test(source.slice(TOKEN.lastIndex, TOKEN.lastIndex + 30))) texts.push(written);
    } else if (/^[[({]$/.test(token)) depth += 1;
    else if (/^[\])}]$/.test(token)) {
      depth -= 1;
      if (depth < 0) end = found.index;
    } else if (depth === 0 && /^[,\n]$/.test(token)) end = found.index;
    else if (!/^(?:#|[,:+\n]$)/.test(token)) rest.push(token);
    if (end < source.length) break;
  }
  return { texts, rest: rest.join(" "), end: from + end };
}

/** Where these words begin, wherever they stand. */
export function placesOf(text: string, words: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + words.length)) places.push(at);
  return places;
}

/** Of a very long line only what is near. */
export function lineAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST_NOTE / 2), at);
  const [after = ""] = text.slice(at, at + LONGEST_NOTE).split("\n", 1);
  return `${before.slice(before.lastIndexOf("\n") + 1)}${after}`.trim();
}
