import { structuredPatch } from "diff";
import { defined } from "../domain/defined.ts";

/** One changed file as text of both sides; undefined where that side has no file. */
export interface TextChange {
  readonly path: string;
  readonly oldPath?: string;
  readonly before?: string;
  readonly after?: string;
  /** As git writes it: of a link the text is where it leads. */
  readonly mode?: string;
  /** Where it was another one. */
  readonly oldMode?: string;
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
 * @param context lines around each hunk; with as many as the file has it is shown whole
 */
export function presentFile(
  { path, oldPath, before, after, mode, oldMode }: TextChange,
  context = CONTEXT_LINES,
): PresentedFile {
  const title = titleOf({ path, ...defined({ oldPath, mode, oldMode }) }, before, after);
  if (after === undefined) return { path, text: `${title}\n` };
  if (before === undefined) return { path, text: `${title}\n${wholeFile(after)}` };
  const options = { context, maxEditLength: MOST_EDITS, stripTrailingCr: true };
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

function titleOf(
  { path, oldPath, mode, oldMode }: Omit<TextChange, "before" | "after">,
  before?: string,
  after?: string,
): string {
  const notes = [
    ...(after === undefined ? ["deleted"] : before === undefined ? ["new file"] : []),
    ...(after !== undefined && before !== undefined && oldPath !== undefined && oldPath !== path
      ? [`was ${oldPath}`]
      : []),
    ...modeNotes({ ...defined({ mode, oldMode }), isNew: before === undefined }),
  ];
  return notes.length === 0 ? `### ${path}` : `### ${path} (${notes.join("; ")})`;
}

/** What the modes of a file say that its text does not. */
export function modeNotes({
  mode,
  oldMode,
  isNew,
}: Pick<TextChange, "mode" | "oldMode"> & { readonly isNew: boolean }): string[] {
  const was = oldMode === LINK ? "a symbolic link before" : oldMode === SUBMODULE ? "a submodule before" : undefined;
  const before = was === undefined ? [] : [was];
  if (mode === LINK)
    return [oldMode === undefined ? "a symbolic link" : "a symbolic link now", "its text is where it leads"];
  if (mode === SUBMODULE) return [...before, "a submodule"];
  if (mode === EXECUTABLE && (isNew || oldMode !== undefined))
    return [...before, isNew ? "executable" : "made executable"];
  return oldMode === EXECUTABLE ? ["no longer executable"] : before;
}

const LINK = "120000";
const SUBMODULE = "160000";
const EXECUTABLE = "100755";

function wholeFile(text: string): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return `${lines.map((line, at) => gutter(String(at + 1), "+", line)).join("\n")}\n`;
}

function gutter(number: string, mark: string, text: string): string {
  return `${number.padStart(5)} ${mark}|${text.replace(/\r$/, "")}`;
}
