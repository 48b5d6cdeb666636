import type { Observation } from "../domain/findings.ts";
import { firstWithin, isAnchorable } from "../domain/hunks.ts";
import type { SourceFile } from "./source-file.ts";

/** REV-3: what stands on lines that the change added. */
export function addedLinesOnly(
  observations: readonly Observation[],
  files: ReadonlyMap<string, SourceFile>,
): Observation[] {
  const lines = new Map<string, readonly number[]>();
  return observations.filter(({ file, line, endLine }) => {
    const added = lines.get(file) ?? [...(files.get(file)?.addedLines ?? [])];
    lines.set(file, added);
    return firstWithin(added, line, endLine) !== undefined;
  });
}

/**
 * The same observation where a comment can stand: a range that leaves its hunk or begins on an unchanged line far away is cut to the
 * part of it that lies in the hunk of its first added line, from that line on.
 */
export function anchor<T extends Observation>(observation: T, file: SourceFile): T {
  const { line, endLine } = observation;
  if (isAnchorable(file.hunks, line, endLine)) return observation;
  for (const hunk of file.hunks) {
    const first = firstWithin(hunk.added, line, endLine);
    if (first === undefined) continue;
    const { column: _column, endColumn: _endColumn, ...rest } = observation;
    return { ...rest, line: first, endLine: Math.min(endLine, hunk.newEnd) } as T;
  }
  return observation;
}
