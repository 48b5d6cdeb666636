import { nearest } from "./nearest.ts";

/**
 * Words as people type them (GH-4). Phones, office programs and web pages replace the spaces, dashes and quotes of a keyboard with others, and
 * add invisible characters. Normalized words are for comparison only: text that Forge keeps stays as it was typed.
 */

/** Splits a line into words at any kind of space. */
export function splitWords(line: string): string[] {
  return line.split(/[\t-\r\u0085\u2028\u2029\p{Zs}]+/u).filter((word) => seen(word) !== "");
}

/** A word without invisible characters. */
function seen(word: string): string {
  return word.replace(/\p{Cf}/gu, "");
}

/** A word with the dashes and quotes of a keyboard, and without invisible characters. */
export function plainly(word: string): string {
  return seen(word)
    .replace(/[\u2018-\u201b\u2032\u2035\u2039\u203a\u00b4]/g, "'")
    .replace(/[\u201c-\u201f\u2033\u2036\u00ab\u00bb\u300c-\u300f]/g, '"')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\p{Pd}\u2043\u207b\u208b\u2212\u2500\u30fc\uff70]/gu, "-");
}

/** An id or a name for comparison: normalized, and without the marks that people put around or after it. */
export function bare(word: string): string {
  return between(plainly(word), OPENING, CLOSING);
}

/** The value of an option without the quotes or brackets around it. The characters inside are not changed. */
export function unquoted(value: string): string {
  return between(value, OPENING_OF_VALUE, CLOSING_OF_VALUE);
}

const QUOTES = "`\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb";
const OPENING_OF_VALUE = new Set([...QUOTES, "(", "<"]);
const CLOSING_OF_VALUE = new Set([...QUOTES, ")", ">", ".", ",", ";", ":"]);
const OPENING = new Set([...OPENING_OF_VALUE, "[", "{", "*", "#", "@"]);
const CLOSING = new Set([...CLOSING_OF_VALUE, "]", "}", "*", "!", "?", "\u3001", "\u3002"]);

/** Counts from both ends, because a regular expression would start over at each of a thousand marks. */
function between(word: string, opening: ReadonlySet<string>, closing: ReadonlySet<string>): string {
  let start = 0;
  let end = word.length;
  while (end > 0 && closing.has(word[end - 1]!)) end -= 1;
  while (start < end && opening.has(word[start]!)) start += 1;
  return word.slice(start, end);
}

/** How many of the words one pair of quotes holds. 1 when the first word has no opening quote, or the quote is not closed. */
export function quotedWords(words: readonly string[]): number {
  if (!words[0] || !QUOTES.includes(words[0].slice(0, 1))) return 1;
  const end = words.findIndex((word, at) => QUOTES.includes(word.slice(-1)) && (at > 0 || word.length > 1));
  return end === -1 ? 1 : end + 1;
}

/** Whether a word looks like the id of a finding, gate, memory or class of findings, also a mistyped one: `F-7K2Q`, `F7K2Q`, `F-7K2Q:noisy`, `G_2`. */
export function looksLikeId(word: string): boolean {
  const plain = bare(word);
  return /^[FGHM]-/i.test(plain) || /^[FGHM]_?(?=[A-Z]{0,7}\d)[0-9A-Z]{3,8}$/i.test(plain) || /^[FGHM]_\d/i.test(plain);
}

/** The words, with an id that was typed in parts as the first: `F - 7K2Q`, `F– 7K2Q`, `G 2`. Letters alone need a dash: `F this` is text. */
export function withWholeId(words: readonly string[]): readonly string[] {
  const [first = "", second = "", third = ""] = words.slice(0, 3).map(bare);
  const letter = /^([FGHM])-?$/i.exec(first)?.[1];
  if (letter === undefined) return words;
  const [rest, taken] = second === "-" ? [third, 3] : [second.replace(/^-/, ""), 2];
  const isDashed = first.endsWith("-") || second.startsWith("-");
  const isRest = isDashed ? /^[0-9A-Z]{1,8}$/i : /^g/i.test(letter) ? /^\d{1,6}$/ : /^(?=[A-Z]{0,7}\d)[0-9A-Z]{3,8}$/i;
  return isRest.test(rest) ? [`${letter}-${rest}`, ...words.slice(taken)] : words;
}

/** The name that a word was probably meant to be: the word begins with it, is a short form of it (`short`), or differs in few characters. */
export function nearestName<N extends string>(
  word: string,
  names: readonly N[],
  short: Readonly<Record<string, N>> = {},
): N | undefined {
  const plain = bare(word).toLowerCase();
  if (Object.hasOwn(short, plain)) return short[plain];
  const begun = names.find((name) => plain.startsWith(name) && !/^\p{L}/u.test(plain.slice(name.length)));
  return begun ?? names.find((name) => nearest(plain, [name], Math.floor(name.length / 4)));
}
