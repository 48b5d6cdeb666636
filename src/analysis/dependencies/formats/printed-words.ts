import type { YamlNode } from "./yaml-node.ts";

/** What a word without quotes may begin with, and never means anything else in YAML. */
const FIRST = /^[A-Za-z0-9_./(^~<=+$]/;
/** What means something in YAML within brackets and braces. */
const OF_FLOW = /[[\]{},]/;

/** A word on one line, plain or in quotes; undefined for everything that YAML may read in another way. */
export function readWord(written: string): string | undefined {
  const quote = written[0];
  if (quote === "'" || quote === '"') {
    const word = written.slice(1, -1);
    const isPlain = written.length > 1 && written.endsWith(quote) && !word.includes(quote) && !word.includes("\\");
    return isPlain ? word : undefined;
  }
  return isWord(written) ? written : undefined;
}

function isWord(written: string): boolean {
  if (!FIRST.test(written) || written.endsWith(":")) return false;
  // Most words are one.
  if (!written.includes(" ")) return true;
  return !written.endsWith(" ") && !written.includes(": ") && !written.includes(" #");
}

/** `{a: b, c: d}` or `[a, b]` of words; undefined for everything else. */
export function readFlow(written: string, line: number): YamlNode["value"] | undefined {
  const isMap = written.startsWith("{");
  if (!isMap && !written.startsWith("[")) return undefined;
  if (!written.endsWith(isMap ? "}" : "]")) return undefined;
  const inner = written.slice(1, -1);
  const parts = inner === "" ? [] : splitFlow(inner);
  if (parts === undefined) return undefined;
  if (!isMap) {
    const words = parts.map(flowWord);
    if (words.includes(undefined)) return undefined;
    return words.map((value) => ({ line, endLine: line, value: value! }));
  }
  const entries = new Map<string, YamlNode>();
  for (const part of parts) {
    const colon = part.indexOf(": ");
    const key = flowWord(part.slice(0, Math.max(0, colon)));
    const value = flowWord(part.slice(colon + 2));
    if (colon === -1 || key === undefined || value === undefined || entries.has(key)) return undefined;
    entries.set(key, { line, endLine: line, value });
  }
  return entries;
}

function flowWord(written: string): string | undefined {
  const word = readWord(written);
  const quoted = written.startsWith("'") || written.startsWith('"');
  return word === undefined || (!quoted && OF_FLOW.test(word)) ? undefined : word;
}

/** At the commas outside of quotes. */
function splitFlow(inner: string): string[] | undefined {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const letter = inner[at];
    if (letter === "'" || letter === '"') {
      at = inner.indexOf(letter, at + 1);
      if (at === -1) return undefined;
    } else if (letter === ",") {
      if (inner[at + 1] !== " ") return undefined;
      parts.push(inner.slice(start, at));
      start = at + 2;
    }
  }
  return [...parts, inner.slice(start)];
}
