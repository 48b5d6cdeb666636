import type { YamlNode } from "./yaml-node.ts";

/** A node while it is read. */
export interface Written {
  line: number;
  endLine: number;
  value: YamlNode["value"];
}

/**
 * What the entries of lock files hold that were read before, by their whole text: the old lock file has most entries of a new one as
 * well. Lines within an entry are those of its first place, so what is found here may only serve where nothing was wrong there.
 */
export type KnownBlocks = Map<string, { readonly key: string; readonly node: Written }>;

/** What such entries hold, before those of the next text are among them: it was looked at already. */
export function valuesOf(known: KnownBlocks): ReadonlySet<YamlNode["value"]> {
  const values = new Set<YamlNode["value"]>();
  for (const { node } of known.values()) if (typeof node.value !== "string") values.add(node.value);
  return values;
}

/** Those of a format. Only what is read as a whole is an entry: lines within it are not kept. */
export interface KnownEntries {
  readonly blocks: KnownBlocks;
  /** Spaces before each entry. */
  readonly indent: number;
}

/** Characters. A longer entry is read as all others are. */
const LONGEST = 4_000;
const [BREAK, RETURN, SPACE, HASH] = [10, 13, 32, 35];

export interface Block {
  readonly text: string;
  /** Where its last line ends that is not empty. */
  readonly end: number;
  /** Lines behind the first, empty ones at the end left out. */
  readonly lines: number;
}

/**
 * A line and all that is indented deeper below it. Reads no further than the block may be long.
 * @param start of the line
 * @param end of the line
 * @returns undefined for a line with nothing below it, for a long block, and for one that ends at a comment
 */
export function blockAt(text: string, start: number, end: number, indent: number): Block | undefined {
  let last = end;
  let [lines, seen] = [0, 0];
  for (let at = end + 1; at < text.length; ) {
    let first = at;
    while (text.charCodeAt(first) === SPACE) first += 1;
    const sign = text.charCodeAt(first);
    const isEmpty = sign === BREAK || sign === RETURN || first === text.length;
    if (!isEmpty && first - at <= indent) {
      if (sign === HASH) return undefined;
      break;
    }
    const stop = text.indexOf("\n", first);
    const lineEnd = stop === -1 ? text.length : stop;
    if (lineEnd - start > LONGEST) return undefined;
    seen += 1;
    if (!isEmpty) [last, lines] = [lineEnd, seen];
    at = lineEnd + 1;
  }
  return lines === 0 ? undefined : { text: text.slice(start, last), end: last, lines };
}
