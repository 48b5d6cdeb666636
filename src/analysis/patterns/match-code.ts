/** A pattern of a row is matched on at most so many characters at once: what it may cost grows with the file and no faster. */
export const LONGEST_CODE = 20_000;
/** In characters. Two pieces share so much text, so that a match of this length is always found. */
const OVERLAP = 2_000;

/** Whether a pattern matches the code from one place to another, of which it looks at the first `most` characters, and never at more than LONGEST_CODE. */
export function matchesCode(pattern: RegExp, code: string, from = 0, to = code.length, most = LONGEST_CODE): boolean {
  return pattern.test(code.slice(from, Math.min(to, from + Math.min(most, LONGEST_CODE))));
}

/** Whether a pattern matches anywhere in a text, which is looked at in pieces that begin and end at a line where there is one. */
export function matchesSomewhere(pattern: RegExp, text: string): boolean {
  for (let from = 0; ; ) {
    const whole = from + LONGEST_CODE;
    if (whole >= text.length) return matchesCode(pattern, text, from);
    const end = text.lastIndexOf("\n", whole) + 1;
    const to = end > whole - OVERLAP ? end : whole;
    if (matchesCode(pattern, text, from, to)) return true;
    const next = text.lastIndexOf("\n", to - OVERLAP) + 1;
    from = next > to - 2 * OVERLAP ? next : to - OVERLAP;
  }
}
