import { trimEndOf } from "../domain/trim-characters.ts";
import { entropyOf, looksRandom, meanRun } from "./secrets/randomness.ts";
import type { Span } from "./text-spans.ts";

/** Adds to `spans` every place in the text that holds a known value, or a good part of one, in whatever way it is written. */
export type FindKnown = (text: string, spans: Span[]) => void;

/** So many characters in a row that are those of a known value are looked up; every eighth of them is kept. */
const GRAM = 8;
/** So many of the value itself in a row are a part of it: what a line or a cut left of it. */
const LEAST_PIECE = 12;
/** Shorter ones are found as they are only. */
const SHORTEST = 12;
const SLOTS = 1 << 20;
const CHUNK = 1 << 16;
/** As long as a value may be in one piece, over the end of a chunk. */
const OVERLAP = 1 << 13;
/** Between two parts of a value: `", "`, a line break with its indentation is more, and stays. */
const JOINED = 8;

const BASE = 0x01000193;

interface Form {
  readonly codes: Uint8Array;
  readonly least: number;
}

/**
 * Finds random values that are known. Text and value are compared without case and without all that is no letter or digit, so that no
 * line break, quotation mark, escape or invisible character in between hides one; and each value also in hex, in base64 (at any offset, and
 * twice), as character codes, in UTF-16 and backwards. Time grows with the text and not with the number of values. What is not random is
 * left to the search for the very value: its parts are words.
 */
export function createKnownValues(values: readonly string[]): FindKnown | undefined {
  const forms = [...new Set(values.map(withoutEnvelope))].filter(isRandom).flatMap(formsOf);
  if (forms.length === 0) return undefined;
  const filled = new Uint8Array(SLOTS);
  const places = new Map<number, { form: Form; offset: number }[]>();
  for (const form of forms) {
    for (let offset = 0; offset + GRAM <= form.codes.length; offset += GRAM) {
      const hash = hashAt(form.codes, offset);
      filled[hash >>> 12] = 1;
      places.set(hash, [...(places.get(hash) ?? []), { form, offset }]);
    }
  }
  const squeeze = createSqueezer(CHUNK + OVERLAP);
  let drop = 1;
  for (let step = 1; step < GRAM; step += 1) drop = Math.imul(drop, BASE);

  return (text, spans) => {
    for (let start = 0; start < text.length; start += CHUNK) {
      const { codes, length, from, to } = squeeze(text, start, Math.min(text.length, start + CHUNK + OVERLAP));
      if (length < GRAM) continue;
      let hash = hashAt(codes, 0);
      let done = 0;
      for (let at = 0; at + GRAM <= length; at += 1) {
        if (at > 0) {
          const out = codes[at - 1]!;
          hash = (Math.imul((hash - Math.imul(out, drop)) | 0, BASE) + codes[at + GRAM - 1]!) | 0;
        }
        if (at < done || filled[hash >>> 12] === 0) continue;
        for (const { form, offset } of places.get(hash) ?? []) {
          const found = extend(codes, length, at, form, offset);
          if (found === undefined) continue;
          addSpans(found.from, found.to, from, to, spans);
          done = Math.max(done, found.to);
        }
      }
    }
  };
}

function hashAt(codes: Uint8Array, at: number): number {
  let hash = 0;
  for (let step = 0; step < GRAM; step += 1) hash = (Math.imul(hash, BASE) + codes[at + step]!) | 0;
  return hash;
}

/** As far as text and form are the same around the gram. */
function extend(codes: Uint8Array, length: number, at: number, { codes: form, least }: Form, offset: number) {
  for (let step = 0; step < GRAM; step += 1) if (codes[at + step] !== form[offset + step]) return undefined;
  let [start, first] = [at, offset];
  while (start > 0 && first > 0 && codes[start - 1] === form[first - 1]) {
    start -= 1;
    first -= 1;
  }
  let [end, last] = [at + GRAM, offset + GRAM];
  while (end < length && last < form.length && codes[end] === form[last]) {
    end += 1;
    last += 1;
  }
  return end - start >= Math.min(least, form.length) ? { from: start, to: end } : undefined;
}

/** What stands between far parts of a value may be anything, and stays. */
function addSpans(first: number, last: number, from: Int32Array, to: Int32Array, spans: Span[]): void {
  let start = from[first]!;
  let end = to[first]!;
  for (let at = first + 1; at < last; at += 1) {
    if (from[at]! - end > JOINED) {
      spans.push({ from: start, to: end });
      start = from[at]!;
    }
    end = to[at]!;
  }
  spans.push({ from: start, to: end });
}

/** A key without its first and last line and without headers: they are those of every key. */
function withoutEnvelope(value: string): string {
  return value.replace(/-----[A-Z0-9 ]{1,80}-----|^[A-Za-z-]{1,30}: .*$/gm, "").trim();
}

function isRandom(value: string): boolean {
  const squeezed = value.replace(/[^A-Za-z0-9]/g, "");
  const sample = squeezed.slice(0, 2_000);
  return sample.length >= SHORTEST && (looksRandom(sample) || isLongToken(sample));
}

/**
 * Of 100,000 random values of 40 letters and digits, 19 have runs as long as words have them: the search for unknown secrets leaves them,
 * but these are known.
 */
function isLongToken(text: string): boolean {
  return text.length >= 20 && /\d/.test(text) && /[A-Za-z]/.test(text) && entropyOf(text) >= 3.5 && meanRun(text) < 4.5;
}

function formsOf(value: string): Form[] {
  const bytes = Buffer.from(value);
  const encoded = base64Forms(bytes);
  const texts: [text: string, scale: number][] = [
    [value, 1],
    [[...value].reverse().join(""), 1],
    [bytes.toString("hex"), 2],
    [[...bytes].join(" "), 3],
    ...encoded.map((text): [string, number] => [text, 1.5]),
    ...base64Forms(Buffer.from(bytes.toString("hex"))).map((text): [string, number] => [text, 3]),
    ...base64Forms(Buffer.from(value, "utf16le")).map((text): [string, number] => [text, 3]),
    ...encoded.flatMap((text) => base64Forms(Buffer.from(text))).map((text): [string, number] => [text, 2]),
  ];
  return texts.map(([text, scale]) => ({ codes: squeezedCodes(text), least: Math.ceil(LEAST_PIECE * scale) }));
}

/** The part of a base64 text that depends on the bytes alone, at each of the three offsets at which they may stand in what was encoded. */
export function base64Forms(bytes: Buffer): string[] {
  if (bytes.length < 9) return [];
  return [0, 1, 2].map((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const encoded = trimEndOf(padded.toString("base64"), "=");
    // Characters that also hold bits of a neighbour are cut off: at the front by the offset, at the end by an incomplete group.
    return encoded.slice(offset === 0 ? 0 : offset + 1, Math.floor((padded.length * 8) / 6));
  });
}

/** A text without everything that stands between letters and digits, in lower case, with the places where they stood. */
interface Squeezed {
  /** Character codes of a-z and 0-9; only the first `length` count. */
  readonly codes: Uint8Array;
  readonly length: number;
  /** Where each began and ended in the text. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Of ASCII: the letter or digit in lower case, or 0. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

const [PERCENT, BACKSLASH, AMPERSAND] = [37, 92, 38];

/**
 * `%5F`, `\x5f`, `\u005f`, `\u{5f}`, `\n`, `&#95;`, `&#x5f;`. It is tried at every backslash, so that it looks at few of a row: behind more
 * of them the escape is found from a later one.
 */
const ESCAPE =
  /%([0-9a-fA-F]{2})|\\{1,16}(?:x([0-9a-fA-F]{2})|u00([0-9a-fA-F]{2})|u\{0{0,4}([0-9a-fA-F]{2})\}|([nrt]))|&#(?:0{0,4}(\d{2,3})|[xX]0{0,4}([0-9a-fA-F]{2}));/y;

/** Room for texts of up to so many characters, used again and again. */
function createSqueezer(most: number): (text: string, from: number, to: number) => Squeezed {
  const codes = new Uint8Array(most);
  const froms = new Int32Array(most);
  const tos = new Int32Array(most);
  return (text, from, to) => {
    let length = 0;
    for (let at = from; at < to; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= 128) continue;
      let folded = FOLDED[code]!;
      let end = at + 1;
      if (folded === 0) {
        if (code !== PERCENT && code !== BACKSLASH && code !== AMPERSAND) continue;
        const escaped = readEscape(text, at);
        if (escaped === undefined) continue;
        folded = escaped.folded;
        end = escaped.end;
      }
      if (folded !== 0) {
        codes[length] = folded;
        froms[length] = at;
        tos[length] = end;
        length += 1;
      }
      at = end - 1;
    }
    return { codes, length, from: froms, to: tos };
  };
}

function readEscape(text: string, at: number): { folded: number; end: number } | undefined {
  ESCAPE.lastIndex = at;
  const found = ESCAPE.exec(text);
  if (found === null) return undefined;
  const [whole, percent, x, u, braced, space, decimal, hex] = found;
  const digits = percent ?? x ?? u ?? braced ?? hex;
  const code = space !== undefined ? 0 : digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return { folded: FOLDED[code] ?? 0, end: at + whole.length };
}

const squeezeShort = createSqueezer(1 << 16);

/** As codes, of a text of up to 65,536 characters; longer ones are cut. */
function squeezedCodes(text: string): Uint8Array {
  const { codes, length } = squeezeShort(text, 0, Math.min(text.length, 1 << 16));
  return codes.slice(0, length);
}
