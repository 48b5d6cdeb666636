import { structuredPatch } from "diff";
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

function wholeFile(text: string): TextDiff {
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const added = Array.from({ length: lines }, (_, at) => at + 1);
  return { hunks: lines === 0 ? [] : [{ newStart: 1, newEnd: lines, added }], addedLines: lines, deletedLines: 0 };
}
