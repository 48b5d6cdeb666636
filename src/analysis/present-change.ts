import { structuredPatch } from "diff";
import { defined } from "../domain/defined.ts";

/** One changed file as text of both sides; undefined where that side has no file. */
export interface TextChange {
  readonly path: string;
  readonly oldPath?: string;
  readonly before?: string;
  readonly after?: string;
}

/** Lines around each hunk: what a reader needs to see which function it is in. */
const CONTEXT_LINES = 10;
/** The time of a comparison grows with the square of it: 100 ms at most. Beyond it the file is shown as it is now. */
const MOST_EDITS = 1_000;

export interface PresentedFile {
  readonly path: string;
  /** The hunks with the line numbers of the new side. */
  readonly text: string;
}

/**
 * A change as a reader of code wants it: each line with its number on the new side, `+` for added, `-` and no number for removed ones.
 * Numbers stand in front of every line because whoever has to count them miscounts.
 */
export function presentFile({ path, oldPath, before, after }: TextChange): PresentedFile {
  const title = titleOf({ path, ...defined({ oldPath }) }, before, after);
  if (after === undefined) return { path, text: `${title}\n` };
  if (before === undefined) return { path, text: `${title}\n${wholeFile(after)}` };
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS, stripTrailingCr: true };
  const patch = structuredPatch("a", "b", before, after, "", "", options);
  if (!patch) return { path, text: `${title} (rewritten)\n${wholeFile(after)}` };
  const hunks = patch.hunks.map((hunk) => {
    let line = hunk.newStart;
    const lines = hunk.lines.flatMap((content) => {
      if (content.startsWith("\\")) return [];
      if (content.startsWith("-")) return [gutter("", "-", content.slice(1))];
      const number = line;
      line += 1;
      return [gutter(String(number), content.startsWith("+") ? "+" : " ", content.slice(1))];
    });
    return lines.join("\n");
  });
  return { path, text: `${title}\n${hunks.join("\n      ⋮\n")}\n` };
}

function titleOf({ path, oldPath }: Pick<TextChange, "path" | "oldPath">, before?: string, after?: string): string {
  if (after === undefined) return `### ${path} (deleted)`;
  if (before === undefined) return `### ${path} (new file)`;
  return oldPath !== undefined && oldPath !== path ? `### ${path} (was ${oldPath})` : `### ${path}`;
}

function wholeFile(text: string): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return `${lines.map((line, at) => gutter(String(at + 1), "+", line)).join("\n")}\n`;
}

function gutter(number: string, mark: string, text: string): string {
  return `${number.padStart(5)} ${mark}|${text.replace(/\r$/, "")}`;
}
