import type { Span } from "./text-spans.ts";

/** Format controls, default-ignorables (zero-width, bidirectional, tags, variation selectors), control characters, lone surrogates, the blank braille cell. */
const INVISIBLE = /[\p{Cf}\p{DI}\p{Cc}\p{Cs}\u2800]/gu;

/**
 * The text as a person sees it: without characters that hide, reorder or join others (Trojan Source), with plain spaces and with `\n` as
 * the only line break. Tabs stay.
 */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(/\p{Zs}/gu, " ")
    .replace(INVISIBLE, (character) => (character === "\n" || character === "\t" ? character : ""));
}

/** Invisible characters that others are joined over: they stand between the characters of a token, and it still is one. */
const JOINED_OVER = /[\p{Cf}\p{DI}\u2800]/gu;

/** Quick to ask: whether there is any character beyond Latin-1, or the soft hyphen. */
const UNUSUAL = /[\u00ad\u0100-\uffff]/;

/** Has `find` look at the text as it is seen, and gives the places of what it found in the text as it is. */
export function visibleSpans(text: string, spans: Span[], find: (text: string, spans: Span[]) => void): void {
  if (!UNUSUAL.test(text) || text.search(JOINED_OVER) === -1) {
    find(text, spans);
    return;
  }
  // Places in the text as it is seen, with the characters that were left out before each.
  const places: number[] = [];
  const shifts: number[] = [];
  let shift = 0;
  const visible = text.replace(JOINED_OVER, (character, at: number) => {
    places.push(at - shift);
    shift += character.length;
    shifts.push(shift);
    return "";
  });
  const found: Span[] = [];
  find(visible, found);
  const placeOf = (at: number) => at + (shifts[lastAtMost(places, at)] ?? 0);
  for (const { from, to } of found) spans.push({ from: placeOf(from), to: placeOf(to - 1) + 1 });
}

/** Index of the last number that is not above `most`; -1 where all are. */
function lastAtMost(sorted: readonly number[], most: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
