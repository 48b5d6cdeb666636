import { ToolFailure } from "../tool.ts";

export interface Hunk {
  /** 1-based line of the old side that the header names; undefined in a header without numbers. */
  readonly oldStart: number | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface FilePatch {
  /** Undefined for a new file. */
  readonly oldPath: string | undefined;
  /** Undefined for one that goes. */
  readonly newPath: string | undefined;
  readonly hunks: readonly Hunk[];
  /** Whether the new side ends in a line break; undefined where the patch does not say. */
  readonly finalBreak: boolean | undefined;
}

/**
 * Reads a unified diff as git prints it or a model writes it: the numbers in hunk headers may be wrong or missing, as the text decides
 * where a hunk belongs.
 * @throws {ToolFailure} `bad_patch`
 */
export function parsePatch(patch: string): FilePatch[] {
  const lines = patch.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const files: FilePatch[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (/^(?:rename|copy) (?:from|to) |^(?:old|new) mode |^(?:GIT binary patch|Binary files )/.test(line)) {
      throw badPatch(
        at,
        "renames, copies, modes and binary files cannot be patched: write the new file and delete the old one",
      );
    }
    if (!line.startsWith("--- ") || !lines[at + 1]?.startsWith("+++ ")) {
      if (line.startsWith("@@"))
        throw badPatch(at, "a hunk stands before any file: it needs the lines --- a/path and +++ b/path");
      at += 1;
      continue;
    }
    const read = readHunks(lines, at + 2);
    const oldPath = pathOf(line);
    const newPath = pathOf(lines[at + 1] ?? "");
    if (oldPath === undefined && newPath === undefined) throw badPatch(at, "both sides are /dev/null");
    if (oldPath !== undefined && newPath !== undefined && oldPath !== newPath) {
      throw badPatch(at, "the two sides have different names: renames cannot be patched");
    }
    if (read.hunks.length === 0) throw badPatch(at, "the file has no hunk (a line that begins with @@)");
    files.push({ oldPath, newPath, hunks: read.hunks, finalBreak: read.finalBreak });
    at = read.end;
  }
  if (files.length === 0) throw badPatch(0, "it names no file (--- a/path, +++ b/path)");
  return files;
}

function readHunks(lines: readonly string[], from: number) {
  const hunks: { oldStart: number | undefined; before: string[]; after: string[] }[] = [];
  let finalBreak: boolean | undefined;
  let lastSign = "";
  let at = from;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.startsWith("diff --git ") || (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ "))) break;
    if (line.startsWith("@@")) {
      const number = /^@@+ -(\d{1,9})/.exec(line)?.[1];
      hunks.push({ oldStart: number === undefined ? undefined : Number(number), before: [], after: [] });
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined) throw badPatch(at, "a hunk has to begin with @@");
    // Editors and models drop the space of an empty context line.
    const sign = line === "" ? " " : (line[0] ?? "");
    const text = line.slice(1);
    if (sign === "\\") {
      finalBreak = lastSign === "-";
      continue;
    }
    if (sign !== " " && sign !== "-" && sign !== "+")
      throw badPatch(at, 'a line of a hunk begins with a space, "-" or "+"');
    if (sign !== "+") hunk.before.push(text);
    if (sign !== "-") hunk.after.push(text);
    lastSign = sign;
  }
  return { hunks, finalBreak, end: at };
}

/** Either letter goes on either side: a check before the patch is applied need not know a line's side. */
function pathOf(line: string): string | undefined {
  const written = line.slice(4).split("\t")[0]?.trim() ?? "";
  return written === "/dev/null" ? undefined : written.replace(/^[ab]\//, "");
}

function badPatch(at: number, why: string): ToolFailure {
  return new ToolFailure("bad_patch", `The patch cannot be read at its line ${at + 1}: ${why}. Nothing was changed.`);
}
