/** A text without everything that stands between letters and digits, in lower case, with the places where they stood. */
export interface Squeezed {
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

/** `%5F`, `\x5f`, `\u005f`, `\u{5f}`, `\n`, `&#95;`, `&#x5f;`. */
const ESCAPE =
  /%([0-9a-fA-F]{2})|\\+(?:x([0-9a-fA-F]{2})|u00([0-9a-fA-F]{2})|u\{0{0,4}([0-9a-fA-F]{2})\}|([nrt]))|&#(?:0{0,4}(\d{2,3})|[xX]0{0,4}([0-9a-fA-F]{2}));/y;

/** Room for texts of up to so many characters, used again and again. */
export function createSqueezer(most: number): (text: string, from: number, to: number) => Squeezed {
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
export function squeezedCodes(text: string): Uint8Array {
  const { codes, length } = squeezeShort(text, 0, Math.min(text.length, 1 << 16));
  return codes.slice(0, length);
}
