/** A pattern that takes up to nine blanks in one place takes every run of them, once these were shortened. */
const LONG_RUN = /\s{9,}/g;

/**
 * A text in which no more than eight blanks follow each other: a longer run becomes one line break if it holds one, else one space. Patterns
 * can then have a bound for blanks (SEC-8), and still find a command behind a longer run.
 */
export function shortenBlanks(text: string): string {
  return text.replace(LONG_RUN, (run) => (run.includes("\n") ? "\n" : " "));
}
