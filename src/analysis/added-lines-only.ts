import type { Observation } from "../domain/findings.ts";
import { isAnchorable, touchesAdded } from "../domain/hunks.ts";
import type { SourceFile } from "./source-file.ts";

/** REV-3: what stands on lines that the change added. */
export function addedLinesOnly(
  observations: readonly Observation[],
  files: ReadonlyMap<string, SourceFile>,
): Observation[] {
  return observations.filter(({ file, line, endLine }) => touchesAdded(files.get(file)?.hunks ?? [], line, endLine));
}

/**
 * The same observation where a comment can stand: a range that leaves its hunk or begins on an unchanged line far away is cut to the
 * part of it that lies in the hunk of its first added line, from that line on.
 */
export function anchor<T extends Observation>(observation: T, file: SourceFile): T {
  const { line, endLine } = observation;
  if (isAnchorable(file.hunks, line, endLine)) return observation;
  for (const hunk of file.hunks) {
    const first = hunk.added.find((added) => line <= added && added <= endLine);
    if (first === undefined) continue;
    const { column: _column, endColumn: _endColumn, ...rest } = observation;
    return { ...rest, line: first, endLine: Math.min(endLine, hunk.newEnd) } as T;
  }
  return observation;
}
