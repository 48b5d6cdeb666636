/** GitHub takes 65,536 characters in a comment or a description; the rest is for markers. */
const MAXIMUM_CHARACTERS = 60_000;

/** The first of these texts that GitHub takes, the fullest first; the last one has to fit. */
export function fitting(...texts: readonly [() => string, ...(() => string)[]]): string {
  for (const text of texts.slice(0, -1)) {
    const made = text();
    if (made.length <= MAXIMUM_CHARACTERS) return made;
  }
  return texts.at(-1)!();
}
