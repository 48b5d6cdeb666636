import { compareDigits } from "./compare-digits.ts";

/** A part of a version with the sign before it. A change from digits to letters, or back, counts as a hyphen, and so does a dot before letters. */
interface Part {
  readonly sign: "." | "-";
  readonly text: string;
}

/** Words in a version from the earliest to the latest. Empty stands for the release; words that are not named come last, by the alphabet. */
const WORDS: readonly (readonly string[])[] = [
  ["alpha"],
  ["beta"],
  ["milestone"],
  ["rc", "cr"],
  ["snapshot"],
  ["", "final", "ga", "release"],
  ["sp"],
];
/** Short for a word where a number follows. */
const SHORT: Readonly<Record<string, string>> = { a: "alpha", b: "beta", m: "milestone" };

/** By the order of Maven: the parts from left to right, where `1`, `1.0` and `1-ga` are the same and `1-rc` comes before them. */
export function compareMaven(a: string, b: string): number {
  const left = withoutNulls(partsOf(a));
  const right = withoutNulls(partsOf(b));
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const one = left[at] ?? nullLike(right[at]!);
    const other = right[at] ?? nullLike(left[at]!);
    const difference = compareParts(one, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

function partsOf(version: string): Part[] {
  const [released = ""] = version.toLowerCase().split("+");
  const parts: Part[] = [];
  let end = 0;
  for (const match of released.matchAll(/\d+|[a-z]+/g)) {
    const [text] = match;
    const sign = parts.length === 0 || (released[end] === "." && isNumber(text)) ? "." : "-";
    const follows = /\d/.test(released[match.index + text.length] ?? "");
    parts.push({ sign, text: isNumber(text) ? text : follows ? (SHORT[text] ?? text) : text });
    end = match.index + text.length;
  }
  return parts;
}

/** Zeros and words for the release say nothing at the end, and before a hyphen. */
function withoutNulls(parts: readonly Part[]): Part[] {
  const kept: Part[] = [];
  for (const part of parts) {
    if (part.sign === "-") dropNulls(kept);
    kept.push(part);
  }
  dropNulls(kept);
  return kept;
}

function dropNulls(parts: Part[]): void {
  while (parts.length > 1 && isNull(parts.at(-1)!)) parts.pop();
}

function isNull({ text }: Part): boolean {
  return isNumber(text) ? compareDigits(text, "0") === 0 : rankOf(text) === rankOf("");
}

function nullLike({ sign, text }: Part): Part {
  return { sign, text: isNumber(text) ? "0" : "" };
}

function compareParts(a: Part, b: Part): number {
  const kind = kindOf(a) - kindOf(b);
  if (kind !== 0) return kind;
  if (isNumber(a.text)) return compareDigits(a.text, b.text);
  const rank = rankOf(a.text) - rankOf(b.text);
  if (rank !== 0 || rankOf(a.text) < WORDS.length) return rank;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

/** A word comes before a number behind a hyphen, and that before a number behind a dot. */
function kindOf({ sign, text }: Part): number {
  if (!isNumber(text)) return 0;
  return sign === "-" ? 1 : 2;
}

function isNumber(text: string): boolean {
  return /^\d/.test(text);
}

function rankOf(word: string): number {
  const rank = WORDS.findIndex((same) => same.includes(word));
  return rank === -1 ? WORDS.length : rank;
}
