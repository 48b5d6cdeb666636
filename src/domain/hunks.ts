import { z } from "zod";

/** One hunk of a file's diff as line numbers of the new side: what GitHub lets a comment stand on (side RIGHT). */
export const Hunk = z.object({
  /** First and last line of the new side that the hunk shows, context included; `newEnd < newStart` when it only deletes. */
  newStart: z.number().int().nonnegative(),
  newEnd: z.number().int().nonnegative(),
  /** Lines of the new side that the change added, ascending. */
  added: z.array(z.number().int().positive()),
});
export type Hunk = z.infer<typeof Hunk>;

/** The ranges of a file's new side that the diff shows: all that is needed to tell whether a comment may stand somewhere. */
export const Anchors = z.object({ path: z.string(), hunks: z.array(Hunk.pick({ newStart: true, newEnd: true })) });
export type Anchors = z.infer<typeof Anchors>;

export const FILE_STATUSES = ["added", "modified", "deleted", "renamed", "copied", "type_changed"] as const;

/** One changed file. `path` is the new one; `hunks` is empty for renames without change, binaries and mode changes. */
export const ChangedFile = z.object({
  path: z.string(),
  oldPath: z.string().optional(),
  status: z.enum(FILE_STATUSES),
  mode: z.string(),
  /** Where it was another one. */
  oldMode: z.string().optional(),
  /** Object id of the new side; undefined when deleted. */
  blob: z.string().optional(),
  binary: z.boolean(),
  addedLines: z.number().int().nonnegative(),
  deletedLines: z.number().int().nonnegative(),
  hunks: z.array(Hunk),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** Lines of a file's new side that changed between two heads, as ranges with both ends in them. */
export interface ChangedLines {
  readonly path: string;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/** Whether GitHub takes a comment on these lines: both inside one hunk of the file's new side (GH-10). */
export function isAnchorable(hunks: Readonly<Anchors["hunks"]>, line: number, endLine: number): boolean {
  return hunks.some((hunk) => hunk.newStart <= line && line <= endLine && endLine <= hunk.newEnd);
}

/** The first of these lines, which ascend, that lies in the range; undefined where none does. */
export function firstWithin(lines: readonly number[], line: number, endLine: number): number | undefined {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]! < line) low = middle + 1;
    else high = middle;
  }
  const found = lines[low];
  return found !== undefined && found <= endLine ? found : undefined;
}

/** Ascending lines as ranges, both ends included. */
export function lineRanges(lines: readonly number[]): [first: number, last: number][] {
  const ranges: [first: number, last: number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}
