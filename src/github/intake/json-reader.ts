/** GitHub's payloads go about ten deep; later readers may recurse. */
export const DEEPEST = 500;

/** What may come next, between two tokens. */
const VALUE = 0;
const VALUE_OR_END = 1;
const KEY = 2;
const KEY_OR_END = 3;
const COLON = 4;
const COMMA_OR_END = 5;
const NOTHING = 6;

const [OBJECT, ARRAY] = [1, 2];
const [QUOTE, BACKSLASH, MINUS, PLUS, POINT, ZERO, COMMA, COLON_MARK] = [
  0x22, 0x5c, 0x2d, 0x2b, 0x2e, 0x30, 0x2c, 0x3a,
];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, LETTER_U] = [0x7b, 0x7d, 0x5b, 0x5d, 0x75];
const WORDS = new Map(["true", "false", "null"].map((word) => [word.charCodeAt(0), Buffer.from(word)]));
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));

/** 1 for bytes that mean nothing but themselves within a text. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH),
);

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isHexadecimal = (byte = 0) => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

/** Where the text ends whose first quote was just before; -1 where it does not end, or holds what no text may. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let at = from; ; ) {
    while (PLAIN[bytes[at]!] === 1) at += 1;
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH) return -1;
    const escaped = bytes[at + 1]!;
    if (escaped === LETTER_U) {
      for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHexadecimal(bytes[digit])) return -1;
      at += 6;
    } else if (ESCAPED.has(escaped)) at += 2;
    else return -1;
  }
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

/** Where the number ends that begins here; -1 where none does. */
function endOfNumber(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === MINUS ? from + 1 : from;
  if (!isDigit(bytes[first])) return -1;
  let at = bytes[first] === ZERO ? first + 1 : endOfDigits(bytes, first);
  if (bytes[at] === POINT) {
    if (!isDigit(bytes[at + 1])) return -1;
    at = endOfDigits(bytes, at + 1);
  }
  if ((bytes[at] ?? 0) !== 0x65 && bytes[at] !== 0x45) return at;
  const signed = bytes[at + 1] === PLUS || bytes[at + 1] === MINUS ? at + 2 : at + 1;
  return isDigit(bytes[signed]) ? endOfDigits(bytes, signed) : -1;
}

function endOfWord(bytes: Uint8Array, from: number): number {
  const word = WORDS.get(bytes[from]!);
  if (word === undefined) return -1;
  return word.every((letter, place) => bytes[from + place] === letter) ? from + word.length : -1;
}

/**
 * Hears of each token from its first byte up to `to`; `depth` is how deep within objects and lists it stands, for a bracket that of what it
 * opens or closes.
 */
export type OnToken = (byte: number, from: number, to: number, depth: number, isKey: boolean) => void;

/**
 * Follows one JSON text (RFC 8259; that it is UTF-8 was checked before) without making anything of it. `read` goes on to `to` at least, by
 * whole tokens, and says whether there is more to read; the end is whole or not.
 */
export function createJsonReader(bytes: Uint8Array, onToken?: OnToken) {
  const within = new Uint8Array(DEEPEST);
  let [at, depth, next] = [0, 0, VALUE];

  /** Reads the token that begins here. @returns what may come after it; -1 where it may not stand here */
  function token(byte: number): number {
    at += 1;
    switch (byte) {
      case COMMA:
        return next !== COMMA_OR_END ? -1 : within[depth - 1] === OBJECT ? KEY : VALUE;
      case COLON_MARK:
        return next === COLON ? VALUE : -1;
      case CLOSE_OBJECT:
        return next === KEY_OR_END || next === COMMA_OR_END ? close(OBJECT) : -1;
      case CLOSE_ARRAY:
        return next === VALUE_OR_END || next === COMMA_OR_END ? close(ARRAY) : -1;
    }
    if (next === KEY || next === KEY_OR_END) {
      at = byte === QUOTE ? endOfText(bytes, at) : -1;
      return at < 0 ? -1 : COLON;
    }
    return next === VALUE || next === VALUE_OR_END ? value(byte) : -1;
  }
  function value(byte: number): number {
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === DEEPEST) return -1;
      within[depth] = byte === OPEN_OBJECT ? OBJECT : ARRAY;
      depth += 1;
      return byte === OPEN_OBJECT ? KEY_OR_END : VALUE_OR_END;
    }
    if (byte === QUOTE) at = endOfText(bytes, at);
    else at = byte === MINUS || isDigit(byte) ? endOfNumber(bytes, at - 1) : endOfWord(bytes, at - 1);
    return at < 0 ? -1 : afterValue();
  }
  function close(kind: number): number {
    if (within[depth - 1] !== kind) return -1;
    depth -= 1;
    return afterValue();
  }
  function afterValue(): number {
    return depth === 0 ? NOTHING : COMMA_OR_END;
  }

  return {
    read(to: number): "more" | "whole" | "broken" {
      const end = Math.min(to, bytes.length);
      while (at < end) {
        const byte = bytes[at]!;
        if (isSpace(byte)) at += 1;
        else {
          const [from, isKey, above] = [at, next === KEY || next === KEY_OR_END, depth];
          next = token(byte);
          if (next < 0) return "broken";
          onToken?.(byte, from, at, Math.max(above, depth), isKey);
        }
      }
      if (at < bytes.length) return "more";
      return next === NOTHING ? "whole" : "broken";
    },
  };
}
