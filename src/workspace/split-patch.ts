import type { RawEntry } from "./parse-raw-diff.ts";

export interface Range {
  readonly start: number;
  readonly end: number;
}

const HEADER = "diff --git ";
const NEXT_HEADER = Buffer.from(`\n${HEADER}`);

/**
 * The places of the files' sections in a patch, in the order of the entries. Lines of content begin with a space, a sign or a backslash,
 * so a header cannot be imitated. Of a patch that was cut off the last section is dropped, as its end is not known.
 */
export function splitPatch(patch: Buffer, entries: readonly RawEntry[], cutOff: boolean): Range[] {
  const starts = patch.length > 0 ? [0] : [];
  for (let at = patch.indexOf(NEXT_HEADER); at >= 0; at = patch.indexOf(NEXT_HEADER, at + 1)) starts.push(at + 1);
  const end = cutOff ? starts.pop() : patch.length;
  const ranges: Range[] = [];
  let section = 0;
  for (const entry of entries) {
    // A file that becomes a link (or the reverse) is printed as one removed and one added.
    const last = section + (entry.status === "type changed" ? 2 : 1);
    const start = starts[section];
    if (start === undefined || last > starts.length) break;
    ranges.push({ start, end: starts[last] ?? end ?? patch.length });
    section = last;
  }
  return ranges;
}
