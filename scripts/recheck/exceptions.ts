import { readFileSync } from "node:fs";

/** Why a pattern that is not linear cannot hold Forge up. */
export interface Bound {
  readonly why: string;
  /** Where the bound is enforced: a file below the root of the repository, and a name in it. Without them it is a property of the pattern. */
  readonly file?: string;
  readonly symbol?: string;
  /** The most characters that the pattern is matched on, or that it looks at in one place. */
  readonly characters: number;
}

interface Exceptions {
  readonly bounds: Readonly<Record<string, Bound>>;
  /** By the pattern as a literal, the name of its bound. */
  readonly patterns: Readonly<Record<string, string>>;
  /**
   * Every constructor whose pattern only exists while Forge runs, by its file and the beginning of its argument in the code, with the reason
   * why no text from outside can make it slow.
   */
  readonly dynamic: readonly { readonly file: string; readonly argument: string; readonly why: string }[];
}

/** What is written by hand in `exceptions.json`. */
export function readExceptions(): Exceptions {
  return JSON.parse(readFileSync(new URL("exceptions.json", import.meta.url), "utf8")) as Exceptions;
}
