import { gitFact } from "./run-git.ts";

/** Lines that were replaced, in the numbers of the older version. */
export interface ChangedRange {
  readonly start: number;
  /** Before `start` when nothing was removed. */
  readonly end: number;
  /** How far the lines behind it moved. */
  readonly shift: number;
}

/** What changed in one file from one commit to another; null when the file is gone. */
export async function changedRanges(
  directory: string,
  change: { readonly from: string; readonly to: string; readonly path: string },
): Promise<ChangedRange[] | null> {
  const { from, to, path } = change;
  const args = ["diff", "--no-color", "--no-ext-diff", "--no-renames", "-U0", from, to, "--", path];
  const lines = (await gitFact(directory, [from, to], args)).output.toString().split("\n");
  if (lines.some((line) => line.startsWith("deleted file"))) return null;
  return lines.flatMap((line) => {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (!hunk) return [];
    const [at, removed, added] = [Number(hunk[1]), Number(hunk[2] ?? 1), Number(hunk[3] ?? 1)];
    // a hunk that only adds names the line before it
    const start = removed === 0 ? at + 1 : at;
    return [{ start, end: start + removed - 1, shift: added - removed }];
  });
}

/** Where a line stands after the changes; null when it was one of the changed. */
export function followLine(ranges: readonly ChangedRange[], line: number): number | null {
  let moved = line;
  for (const { start, end, shift } of ranges) {
    if (line >= start && line <= end) return null;
    if (line > end && line >= start) moved += shift;
  }
  return moved;
}
