/** GitHub takes 65,535 characters; counting bytes is safe however it counts, and the rest is for markers. */
const MAXIMUM_BYTES = 60_000;

/** The first of these texts that GitHub takes, the fullest first; the last one has to fit. */
export function fitting(...texts: readonly [() => string, ...(() => string)[]]): string {
  for (const text of texts.slice(0, -1)) {
    const made = text();
    if (Buffer.byteLength(made) <= MAXIMUM_BYTES) return made;
  }
  return texts.at(-1)!();
}
