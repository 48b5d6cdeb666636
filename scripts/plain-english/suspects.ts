import { hasProse, proseOf } from "./prose.ts";

/** A line with a phrase to rewrite. */
export interface Suspect {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly phrase: string;
  /** The piece of prose that has the phrase. */
  readonly text: string;
}

const LONGEST_PHRASE = 40;
const LONGEST_TEXT = 140;

/** The suspect lines of a file, at most one suspect a line. A file without prose has none and is not read. */
export function suspectsOf(path: string, read: () => string, phrases: readonly RegExp[]): Suspect[] {
  if (!hasProse(path)) return [];
  return proseOf(path, read()).flatMap(({ line, pieces }) => {
    for (const text of pieces) {
      const phrase = firstPhrase(text, phrases);
      if (phrase !== undefined) return [{ path, line, phrase, text }];
    }
    return [];
  });
}

/** `path:line: phrase | text`, cut to fit a terminal. */
export function suspectLine({ path, line, phrase, text }: Suspect): string {
  return `${path}:${line}: ${phrase.slice(0, LONGEST_PHRASE)} | ${text.slice(0, LONGEST_TEXT)}`;
}

function firstPhrase(text: string, phrases: readonly RegExp[]): string | undefined {
  for (const phrase of phrases) {
    const match = phrase.exec(text);
    if (match !== null) return match[0];
  }
  return undefined;
}
