/** Characters without a form of their own: zero-width, variation selectors, tags, fillers, the blank braille cell. */
const INVISIBLE = /[\p{DI}\u2800\ufff9-\ufffb]/u;
const DIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Scripts whose letters join, or whose words are not parted by spaces: there such characters are spelling. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Nko}\p{Script=Balinese}\p{Script=Javanese}\p{Script=Brahmi}]/u;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\ufe0f/u;

interface Unseen {
  readonly offset: number;
  readonly character: string;
}

/** The invisible characters of a line that are not part of how emoji, Persian, Hindi, Khmer, Korean and the like are written. */
export function findUnseen(line: string): Unseen[] {
  const characters = [...line];
  const found: Unseen[] = [];
  let offset = 0;
  for (const [at, character] of characters.entries()) {
    if (INVISIBLE.test(character) && !DIRECTIONAL.test(character) && !isSpelling(characters, at))
      found.push({ offset, character });
    offset += character.length;
  }
  return found;
}

function isSpelling(characters: readonly string[], at: number): boolean {
  const code = characters[at]?.codePointAt(0) ?? 0;
  const before = characters[at - 1] ?? "";
  const after = characters[at + 1] ?? "";
  if (code === 0x200d && EMOJI.test(before)) return /\p{Emoji}/u.test(after);
  if (code === 0x200b || code === 0x200c || code === 0x200d) return JOINING.test(before) || JOINING.test(after);
  // A name may go on in a selector: of what everybody types only keycaps have one, `1️⃣`.
  if ((code === 0xfe0e || code === 0xfe0f) && /[\x21-\x7e]/.test(before))
    return /[0-9#*]/.test(before) && after === "\u20e3";
  if (code === 0xfe0e || code === 0xfe0f) return /[\p{Emoji}\p{S}\p{P}\p{Script=Han}\p{N}]/u.test(before);
  if (code >= 0xfe00 && code <= 0xfe0d) return /[\p{Script=Han}\p{Script=Myanmar}\p{Sm}]/u.test(before);
  // No collection of variants of a character has more; beyond them somebody counts.
  if (code >= 0xe0100 && code <= 0xe01ef) return code <= 0xe011f && /\p{Script=Han}/u.test(before);
  if (code >= 0x180b && code <= 0x180f) return /\p{Script=Mongolian}/u.test(before);
  if (code === 0x115f || code === 0x1160) return /\p{Script=Hangul}/u.test(before) || /\p{Script=Hangul}/u.test(after);
  if (code === 0x2800) return /[\u2801-\u28ff]/.test(before) || /[\u2801-\u28ff]/.test(after);
  return code >= 0xe0020 && code <= 0xe007f && isOfFlag(characters, at);
}

/** Flags of regions: a black flag, up to six tags, and the one that ends them. */
function isOfFlag(characters: readonly string[], at: number): boolean {
  const isTag = (character = "") => /[\u{e0020}-\u{e007f}]/u.test(character);
  let first = at;
  while (isTag(characters[first - 1]) && at - first < MOST_TAGS) first -= 1;
  let last = at;
  while (isTag(characters[last + 1]) && last - first < MOST_TAGS) last += 1;
  return characters[first - 1] === "\u{1f3f4}" && characters[last] === "\u{e007f}" && last - first <= MOST_TAGS - 1;
}

const MOST_TAGS = 7;
