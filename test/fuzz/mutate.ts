import type { Random } from "../chaos/random.ts";

/** No input grows beyond this: what is slow shows itself before. */
export const LARGEST_INPUT = 48 * 1024;

/** What breaks parsers of any format. */
const EVIL = [
  ...["", "\0", "\n", "\r\n", "\t", " ", "\u2028", "\ufeff", "\ud800", "é", "🙂", "\u202e"],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "-1",
    "0",
    "1e999",
    "9007199254740993",
    "NaN",
    "null",
    "true",
  ],
  ...[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    '"',
    "'",
    "`",
    "\\",
    "/",
    "*",
    "&",
    "#",
    "%",
    "|",
    "- ",
    ": ",
    "&a ",
    "*a",
    "..",
    "../",
  ],
];

type Mutation = (text: string, random: Random, words: readonly string[], other: string) => string;

const MUTATIONS: readonly Mutation[] = [
  // A word of the format, or an evil one, somewhere.
  (text, random, words) => insert(text, place(text, random), pick([...words, ...EVIL], random)),
  // A word in place of another.
  (text, random, words) => {
    const found = [...text.matchAll(/[\w.-]+|[^\w\s]/g)];
    if (found.length === 0) return text;
    const { index, 0: word } = pick(found, random);
    return text.slice(0, index) + pick([...words, ...EVIL], random) + text.slice(index + word.length);
  },
  // A piece gone, doubled, moved, or a hundred times.
  (text, random) => cut(text, random, () => ""),
  (text, random) => cut(text, random, (piece) => piece + piece),
  (text, random) => insert(text, place(text, random), pieceOf(text, random)),
  (text, random) => cut(text, random, (piece) => piece.slice(0, 200).repeat(1 + Math.floor(random() * 120))),
  // A line gone, doubled or at another place.
  (text, random) => {
    const lines = text.split("\n");
    const [line = ""] = lines.splice(Math.floor(random() * lines.length), 1);
    if (random() < 0.7)
      lines.splice(Math.floor(random() * (lines.length + 1)), 0, ...(random() < 0.5 ? [line] : [line, line]));
    return lines.join("\n");
  },
  // The beginning of one and the end of another.
  (text, random, _words, other) => text.slice(0, place(text, random)) + other.slice(place(other, random)),
  // Nesting.
  (text, random) => {
    const [open, close] = pick(
      [
        ["[", "]"],
        ["{", "}"],
        ["(", ")"],
        ['{"a":', "}"],
        ["<a>", "</a>"],
        ["- ", ""],
        ["> ", ""],
      ] as const,
      random,
    );
    const depth = 1 + Math.floor(random() ** 3 * 2_000);
    return cut(text, random, (piece) => open.repeat(depth) + piece + close.repeat(depth));
  },
  // A number a little or much different.
  (text, random) =>
    text.replace(/\d+/, (digits) => pick([`${Number(digits) + 1}`, `-${digits}`, digits.repeat(8), "0"], random)),
  (text, random) =>
    [...text]
      .map((character) => (random() < 0.01 ? String.fromCharCode(Math.floor(random() * 256)) : character))
      .join(""),
];

/** A few mutations in a row of a text of the format; `words` are what the format is made of. */
export function mutate(text: string, random: Random, words: readonly string[], other: string): string {
  let mutated = text;
  for (let left = 1 + Math.floor(random() ** 2 * 8); left > 0; left -= 1) {
    mutated = pick(MUTATIONS, random)(mutated, random, words, other).slice(0, LARGEST_INPUT);
  }
  return mutated;
}

/** What a format is made of, as its samples show. */
export function wordsOf(samples: readonly string[]): string[] {
  const words = samples.flatMap((sample) => sample.match(/[\w.@/-]+|[^\w\s]+|\n\s*/g) ?? []);
  return [...new Set(words)].slice(0, 2_000);
}

export function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}

function place(text: string, random: Random): number {
  return Math.floor(random() * (text.length + 1));
}

function insert(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at);
}

function pieceOf(text: string, random: Random): string {
  const from = place(text, random);
  return text.slice(from, from + 1 + Math.floor(random() ** 2 * 400));
}

function cut(text: string, random: Random, change: (piece: string) => string): string {
  const piece = pieceOf(text, random);
  const at = text.indexOf(piece);
  return text.slice(0, at) + change(piece) + text.slice(at + piece.length);
}
