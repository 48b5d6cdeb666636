/** A part of a version with the sign before it. A change from digits to letters, or back, counts as a hyphen. */
interface Part {
  readonly sign: "." | "-";
  readonly value: number | string;
}

/** Words in a version from the earliest to the latest. Empty stands for the release; words that are not named come last, by the alphabet. */
type Words = readonly (readonly string[])[];

const MAVEN: Words = [
  ["alpha"],
  ["beta"],
  ["milestone"],
  ["rc", "cr"],
  ["snapshot"],
  ["", "final", "ga", "release"],
  ["sp"],
];
const COMPOSER: Words = [["dev"], ["alpha"], ["beta"], ["rc"], ["", "stable"], ["patch", "pl", "p"]];
/** Short for a word where a number follows. */
const SHORT: Readonly<Record<string, string>> = { a: "alpha", b: "beta", m: "milestone" };

/** By the order of Maven: the parts from left to right, where `1`, `1.0` and `1-ga` are the same and `1-rc` comes before them. */
export function compareMaven(a: string, b: string): number {
  return compareBy(MAVEN, a, b);
}

/** By the order of Composer: `dev`, alpha, beta and release candidates come before the release, patches after it. */
export function compareComposer(a: string, b: string): number {
  return compareBy(COMPOSER, a.replace(/^v/i, ""), b.replace(/^v/i, ""));
}

function compareBy(words: Words, a: string, b: string): number {
  const left = withoutNulls(partsOf(a), words);
  const right = withoutNulls(partsOf(b), words);
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const one = left[at] ?? nullLike(right[at]!);
    const other = right[at] ?? nullLike(left[at]!);
    const difference = compareParts(one, other, words);
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
    const sign = parts.length === 0 || released[end] === "." ? "." : "-";
    const follows = /\d/.test(released[match.index + text.length] ?? "");
    parts.push({ sign, value: /^\d/.test(text) ? Number(text) : follows ? (SHORT[text] ?? text) : text });
    end = match.index + text.length;
  }
  return parts;
}

/** Zeros and words for the release say nothing at the end, and before a hyphen. */
function withoutNulls(parts: readonly Part[], words: Words): Part[] {
  const kept: Part[] = [];
  for (const part of parts) {
    if (part.sign === "-") dropNulls(kept, words);
    kept.push(part);
  }
  dropNulls(kept, words);
  return kept;
}

function dropNulls(parts: Part[], words: Words): void {
  while (parts.length > 1 && isNull(parts.at(-1)!, words)) parts.pop();
}

function isNull({ value }: Part, words: Words): boolean {
  return value === 0 || (typeof value === "string" && rankOf(value, words) === rankOf("", words));
}

function nullLike({ sign, value }: Part): Part {
  return { sign, value: typeof value === "number" ? 0 : "" };
}

function compareParts(a: Part, b: Part, words: Words): number {
  const kind = kindOf(a) - kindOf(b);
  if (kind !== 0) return kind;
  if (typeof a.value === "number" || typeof b.value === "number") return Number(a.value) - Number(b.value);
  const rank = rankOf(a.value, words) - rankOf(b.value, words);
  if (rank !== 0 || rankOf(a.value, words) < words.length) return rank;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

/** A word comes before a number behind a hyphen, and that before a number behind a dot. */
function kindOf({ sign, value }: Part): number {
  if (typeof value === "string") return 0;
  return sign === "-" ? 1 : 2;
}

function rankOf(word: string, words: Words): number {
  const rank = words.findIndex((same) => same.includes(word));
  return rank === -1 ? words.length : rank;
}
