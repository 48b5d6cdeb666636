/** What reads one kind of text from outside, and the pieces of which text that is made to be slow may consist. */
export interface OutsideReader {
  readonly read: (text: string) => unknown;
  /** Beginnings, each with what its format needs before the reader goes on. */
  readonly prefixes: readonly string[];
  readonly middles: readonly string[];
  /** Endings that fit none of it. */
  readonly suffixes: readonly string[];
  /** Characters that it may look at again and again: how its time grows shows only in texts that are longer. */
  readonly window?: number;
}

const BLANKS = [" ", "\t", "\r", "\n", " \t", "\u2028", "\u00a0"];
const SIGNS = ["a", "0", "+", "=", "(", "[", "{", "<", '"', "'", "`", "\\", "/", "*", "#", "@", ":", ";", "$", "&"];
const COMMON = [...BLANKS, ...SIGNS, "aA0", "a=", '"a"', "\\\\", "a\r"];
/** The line break that `.` does not match, a control character, and something visible. */
const SUFFIXES = ["", "!", "\u2028x", "\u0001x", "\nx: y"];

/** A reader with its own beginnings, middles and endings besides those that every reader gets. */
export function reader(
  read: OutsideReader["read"],
  prefixes: readonly string[],
  middles: readonly string[],
  suffixes: readonly string[] = [],
): OutsideReader {
  return { read, prefixes: ["", ...prefixes], middles: [...COMMON, ...middles], suffixes: [...SUFFIXES, ...suffixes] };
}
