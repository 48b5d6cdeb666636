import { diffArrays, structuredPatch } from "diff";
import type { ChangedFile, Hunk } from "../domain/hunks.ts";

/**
 * Beyond so many edits a line-by-line comparison says nothing any more; the file then counts as new. The time of a comparison grows with
 * the square of it: 100 ms at most.
 */
const MOST_EDITS = 1_000;

export type TextDiff = Pick<ChangedFile, "hunks" | "addedLines" | "deletedLines">;

/** Hunks of what became of a text, with three lines of context as git shows them. */
export function diffTexts(before: string | undefined, after: string): TextDiff {
  if (before === undefined) return wholeFile(after);
  const options = { context: 3, maxEditLength: MOST_EDITS, stripTrailingCr: true };
  const patch = structuredPatch("a", "b", before, after, "", "", options);
  if (!patch) return wholeFile(after);
  const hunks = patch.hunks.map((hunk): Hunk => {
    const added: number[] = [];
    let line = hunk.newStart;
    for (const content of hunk.lines) {
      if (content.startsWith("+")) added.push(line);
      if (!content.startsWith("-") && !content.startsWith("\\")) line += 1;
    }
    return { newStart: hunk.newStart, newEnd: hunk.newStart + hunk.newLines - 1, added };
  });
  const deletedLines = patch.hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith("-")).length;
  return { hunks, addedLines: hunks.reduce((sum, { added }) => sum + added.length, 0), deletedLines };
}

/** What stands in place of some lines of an earlier text. */
export interface LinesNow {
  /** What became of these lines alone, without line ends; empty when they were deleted. */
  readonly lines: readonly string[];
  /** The same with what was put in directly before and after them. */
  readonly around: readonly string[];
}

/**
 * Follows lines (1-based, inclusive) from one text to a later one, by content and not by number.
 * @returns undefined when there are no such lines, or too much is different to say
 */
export function followLines(before: string, after: string, from: number, to: number): LinesNow | undefined {
  const [old, now] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(old, now, { maxEditLength: MOST_EDITS });
  if (!parts) return undefined;
  // For each line of the earlier text, where in the later one it stands now, 0-based and without the last; a taken one where others took its place.
  const places: { readonly start: number; readonly end: number }[] = [];
  let next = 0;
  for (let at = 0; at < parts.length; at += 1) {
    const { added, removed, value } = parts[at]!;
    const other = parts[at + 1];
    if (added || removed) {
      // What was taken and what was brought at one place stand one after the other, in either order.
      const pair = other && (removed ? other.added : other.removed) ? other : undefined;
      const [taken, brought] = removed ? [value, pair?.value ?? []] : [pair?.value ?? [], value];
      for (const _line of taken) places.push({ start: next, end: next + brought.length });
      next += brought.length;
      if (pair) at += 1;
    } else for (const _line of value) places.push({ start: next, end: ++next });
  }
  const [start, end] = [places[from - 1]?.start, places[to - 1]?.end];
  if (start === undefined || end === undefined) return undefined;
  const first = Math.min(start, places[from - 2]?.end ?? 0);
  const last = Math.max(end, places[to]?.start ?? now.length);
  return { lines: now.slice(start, end), around: now.slice(first, last) };
}

function linesOf(text: string): string[] {
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function wholeFile(text: string): TextDiff {
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const added = Array.from({ length: lines }, (_, at) => at + 1);
  return { hunks: lines === 0 ? [] : [{ newStart: 1, newEnd: lines, added }], addedLines: lines, deletedLines: 0 };
}
