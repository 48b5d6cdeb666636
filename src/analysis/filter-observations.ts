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

/** A rule that holds for what a program writes holds hundreds of times; a few say it. */
const MOST_OF_A_RULE = 3;

/** Matters of taste, which the output of a program does not settle. */
const ABOUT_STYLE: ReadonlySet<Observation["category"]> = new Set([
  "style",
  "maintainability",
  "performance",
  "best_practice",
]);

/**
 * What is said about files that call themselves generated, minified or vendored: faults and dangers, as anybody may have written them, a
 * few of each rule; nothing about style. Of copies and templates of files, which are not compiled, only dangers.
 */
export function aboutClaims(
  observations: readonly Observation[],
  files: ReadonlyMap<string, SourceFile>,
): Observation[] {
  const counts = new Map<string, number>();
  return observations.filter((observation) => {
    const { file, rule, category, source, secret } = observation;
    const { claims, aside } = files.get(file) ?? {};
    if ((claims === undefined && !aside) || secret) return true;
    if (aside ? source === "static" && category !== "security" : source === "static" && ABOUT_STYLE.has(category))
      return false;
    const key = `${file}\0${rule}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return (counts.get(key) ?? 0) <= MOST_OF_A_RULE;
  });
}
