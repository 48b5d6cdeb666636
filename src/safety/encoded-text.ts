import type { Span } from "./text-spans.ts";

type Find = (text: string, spans: Span[]) => void;

/** Shorter than any secret of the table, in characters of its encoding. */
const LEAST = { base64: 20, hex: 28 } as const;
/** So much of what is decoded has to be text, in a row, before anybody looks at it. */
const LEAST_TEXT = 12;
/** An encoded text that is encoded once more; each time there is a quarter less of it, or half. */
const MOST_DEPTH = 3;
/** A line of an encoded text that goes on in the next one. */
const LEAST_LINE = 30;

const SIX = Int8Array.from({ length: 128 }, (_, code) => {
  const at = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".indexOf(String.fromCharCode(code));
  return code === 45 ? 62 : code === 95 ? 63 : at;
});
const FOUR = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

/** Characters of one encoded text that are decoded. More is not read: what is longer is hidden whole. */
const LONGEST_RUN = 1 << 20;

/** Characters in a row that may be an encoding, each with its value and its place in the text. */
interface Run {
  readonly values: number[];
  readonly from: number[];
  /** Where it ends in the text, if it is longer than what is decoded. */
  end?: number;
}

/**
 * Has `find` look at what stands in a text in base64 (with either alphabet, over lines, in UTF-16, up to three times) or in hex, and gives
 * the places of what it found in the text as it is. Each character is decoded at most four times a level, and only what decodes to text is
 * looked at, so that the time grows with the text.
 */
export function encodedSpans(text: string, spans: Span[], find: Find, depth = 0): void {
  if (depth === MOST_DEPTH) return;
  for (const run of runsOf(text, SIX, LEAST.base64)) {
    if (run.end !== undefined) {
      spans.push({ from: run.from[0]!, to: run.end });
      continue;
    }
    for (let offset = 0; offset < 4; offset += 1) decode(run, offset, 6, spans, find, depth);
  }
  for (const run of runsOf(text, FOUR, LEAST.hex)) {
    // It is one in base64 too.
    if (run.end !== undefined) continue;
    for (let offset = 0; offset < 2; offset += 1) decode(run, offset, 4, spans, find, depth);
  }
}

const [FEED, RETURN, BACKSLASH, SPACE, TAB] = [10, 13, 92, 32, 9];

function* runsOf(text: string, table: Int8Array, least: number): Generator<Run> {
  let run: Run = { values: [], from: [] };
  let inLine = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const value = code < 128 ? table[code]! : -1;
    if (value !== -1) {
      if (run.values.length < LONGEST_RUN) {
        run.values.push(value);
        run.from.push(at);
      } else run.end = at + 1;
      inLine += 1;
      continue;
    }
    const next = inLine >= LEAST_LINE ? afterLineBreak(text, at, table) : undefined;
    if (next !== undefined) {
      at = next - 1;
      inLine = 0;
      continue;
    }
    if (run.values.length >= least) yield run;
    if (run.values.length > 0) run = { values: [], from: [] };
    inLine = 0;
  }
}

const LONGEST_LINE = 200;

/** Where the next line goes on, if only a line break and its indentation stand between; as one, or written as `\n`. */
function afterLineBreak(text: string, from: number, table: Int8Array): number | undefined {
  let at = from;
  let broken = false;
  for (; at < text.length && at - from < 40; at += 1) {
    const code = text.charCodeAt(at);
    if (code === FEED || code === RETURN) broken = true;
    else if (code === BACKSLASH && /[nr]/.test(text[at + 1] ?? "")) {
      broken = true;
      at += 1;
    } else if (code !== SPACE && code !== TAB) break;
  }
  if (!broken) return undefined;
  let end = at;
  while (
    end < text.length &&
    end - at < LONGEST_LINE &&
    text.charCodeAt(end) < 128 &&
    table[text.charCodeAt(end)]! !== -1
  )
    end += 1;
  // Words follow each other, and an encoded text fills its line.
  return end > at && /^(?:[=\s"'`\\<,;)]|$)/.test(text.slice(end, end + 1)) && text[end] !== " " ? at : undefined;
}

/** @param offset of the first character that counts; @param bits of each */
function decode({ values, from }: Run, offset: number, bits: 4 | 6, spans: Span[], find: Find, depth: number): void {
  let [held, heldBits] = [0, 0];
  let letters: string[] = [];
  /** Of each letter: index of the character of the run that it begins and ends in. */
  let places: number[] = [];
  const look = () => {
    if (letters.length >= LEAST_TEXT) {
      const found: Span[] = [];
      const inner = letters.join("");
      find(inner, found);
      if (depth + 1 < MOST_DEPTH) encodedSpans(inner, found, find, depth + 1);
      for (const span of found) {
        const first = places[span.from]!;
        const last = Math.min(values.length - 1, places[span.to - 1]! + 1);
        spans.push({ from: from[first]!, to: from[last]! + 1 });
      }
    }
    letters = [];
    places = [];
  };
  for (let at = offset; at < values.length; at += 1) {
    held = ((held << bits) | values[at]!) & 0xffff;
    heldBits += bits;
    if (heldBits < 8) continue;
    heldBits -= 8;
    const byte = (held >> heldBits) & 0xff;
    if ((byte >= 32 && byte < 127) || byte === FEED || byte === RETURN || byte === TAB) {
      letters.push(String.fromCharCode(byte));
      places.push(Math.max(offset, at - 1));
    } else if (byte !== 0 || letters.length === 0) look();
  }
  look();
}

/** `%5F`, `\x5f`, `\u005f`, `\137`, `&#95;`, `&#x5f;`. A row of backslashes is entered at its first one only: otherwise by its square. */
const ESCAPE =
  /%(?:25)?([0-9a-fA-F]{2})|(?<!\\)\\+(?:x([0-9a-fA-F]{2})|u00([0-9a-fA-F]{2})|u\{0{0,4}([0-9a-fA-F]{2})\}|([01][0-7]{2}))|&#(?:0{0,4}(\d{2,3})|[xX]0{0,4}([0-9a-fA-F]{2}));/g;
const BEFORE = 300;
const AFTER = 700;

/** The same for characters that are written by their numbers. Only what stands near one is looked at again. */
export function escapedSpans(text: string, spans: Span[], find: Find): void {
  let letters: string[] = [];
  let places: number[] = [];
  let end = 0;
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      letters.push(text[at]!);
      places.push(at);
    }
  };
  const look = () => {
    add(end, Math.min(text.length, end + AFTER));
    const found: Span[] = [];
    find(letters.join(""), found);
    for (const { from, to } of found) {
      const last = places[to - 1]!;
      spans.push({ from: places[from]!, to: places[to] ?? last + 1 });
    }
    [letters, places] = [[], []];
  };
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, percent, x, u, braced, octal, decimal, hex] = match;
    const digits = percent ?? x ?? u ?? braced ?? hex;
    const code =
      digits !== undefined
        ? Number.parseInt(digits, 16)
        : octal !== undefined
          ? Number.parseInt(octal, 8)
          : Number(decimal);
    if ((code < 32 && code !== FEED && code !== RETURN && code !== TAB) || code > 126) continue;
    if (letters.length > 0 && match.index - end > AFTER) look();
    add(letters.length > 0 ? end : Math.max(end, match.index - BEFORE), match.index);
    letters.push(String.fromCharCode(code));
    places.push(match.index);
    end = match.index + whole.length;
  }
  if (letters.length > 0) look();
}
