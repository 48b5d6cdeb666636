import { structuredPatch } from "diff";
import { defined } from "../domain/defined.ts";
import { askThread } from "../safety/limited-thread.ts";

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
/** The time of a comparison grows with the square of it. Beyond it the file is shown as it is now. */
const MOST_EDITS = 1_000;
/** Characters of both sides that are compared in 60 ms, however they are chosen. */
const AT_ONCE = 64 * 1024;
/** The same of a file that is only shown. */
const SHOWN_AT_ONCE = 4 * AT_ONCE;
/** A megabyte of the shortest lines takes a second. */
const THREAD = { timeMs: 30_000, memoryMib: 1024 } as const;

export interface PresentedFile {
  readonly path: string;
  /** The hunks with the line numbers of the new side. */
  readonly text: string;
}

/**
 * A change as a reader of code wants it: each line with its number on the new side, `+` for added, `-` and no number for removed ones.
 * Numbers stand in front of every line because models miscount.
 * @param context lines around each hunk; with as many as the file has it is shown whole
 */
export async function presentChange(change: TextChange, context = CONTEXT_LINES): Promise<PresentedFile> {
  const { before, after } = change;
  if (after === undefined || (before?.length ?? 0) + after.length <= (before === undefined ? SHOWN_AT_ONCE : AT_ONCE))
    return presentFile(change, context);
  const code = new URL("./present-thread", import.meta.url);
  const workerData = { change, context };
  const { answers } = await askThread<PresentedFile>(code, { ...THREAD, answers: 1, workerData });
  return answers[0] ?? rewritten(change, after);
}

/** The same in this thread, for as long as the author of the texts chooses. */
export function presentFile(change: TextChange, context = CONTEXT_LINES): PresentedFile {
  const { path, before, after } = change;
  const title = titleOf(change, before, after);
  if (after === undefined) return { path, text: `${title}\n` };
  if (before === undefined) return { path, text: `${title}\n${wholeFile(after)}` };
  const options = { context, maxEditLength: MOST_EDITS, stripTrailingCr: true };
  const patch = structuredPatch("a", "b", before, after, "", "", options);
  if (!patch) return rewritten(change, after);
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

function rewritten(change: TextChange, after: string): PresentedFile {
  return { path: change.path, text: `${titleOf(change, change.before, after)} (rewritten)\n${wholeFile(after)}` };
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
