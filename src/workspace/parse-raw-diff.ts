import { pathFromBytes } from "./path-text.ts";

/** One entry of `git diff --raw -z`. */
export interface RawEntry {
  readonly status: ChangeStatus;
  readonly similarity: number | undefined;
  readonly oldPath: string | undefined;
  readonly newPath: string | undefined;
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  readonly oldSha: string | undefined;
  readonly newSha: string | undefined;
}

interface LineCount {
  /** Undefined when git takes the file for binary. */
  readonly added: number | undefined;
  readonly deleted: number | undefined;
}

export interface RawDiff {
  readonly entries: RawEntry[];
  /** In the order of `entries`; shorter when the output was cut off. */
  readonly counts: LineCount[];
  /** Where the text of the patch begins; undefined when the output ends before it. */
  readonly patchStart: number | undefined;
}

/** Reads `git diff --raw --numstat -z [-p]`, of which the end may be missing. Stops after `maxEntries`. */
export function parseRawDiff(output: Buffer, maxEntries: number): RawDiff {
  const fields = readFields(output);
  const entries: RawEntry[] = [];
  while (entries.length < maxEntries && fields.peek() === COLON) {
    const entry = readEntry(fields);
    if (entry === undefined) return { entries, counts: [], patchStart: undefined };
    entries.push(entry);
  }
  const counts: LineCount[] = [];
  while (counts.length < entries.length) {
    const count = readCount(fields);
    if (count === undefined) return { entries, counts, patchStart: undefined };
    counts.push(count);
  }
  // One more NUL stands between the list and the patch.
  return { entries, counts, patchStart: fields.peek() === 0 ? fields.position() + 1 : undefined };
}

const COLON = 0x3a;

function readEntry(fields: FieldReader): RawEntry | undefined {
  const [oldMode, newMode, oldSha, newSha, letters] = fields.next()?.toString("latin1").slice(1).split(" ") ?? [];
  const first = fields.next();
  if (!oldMode || !newMode || !oldSha || !newSha || !letters || first === undefined) return undefined;
  const moved = letters.startsWith("R") || letters.startsWith("C");
  const second = moved ? fields.next() : first;
  if (second === undefined) return undefined;
  const added = letters === "A";
  const deleted = letters === "D";
  return {
    status: statusOf(letters, oldMode !== newMode && oldSha === newSha),
    similarity: moved ? Number(letters.slice(1)) : undefined,
    oldPath: added ? undefined : pathFromBytes(first),
    newPath: deleted ? undefined : pathFromBytes(second),
    oldMode: added ? undefined : oldMode,
    newMode: deleted ? undefined : newMode,
    oldSha: added ? undefined : oldSha,
    newSha: deleted ? undefined : newSha,
  };
}

function statusOf(letters: string, onlyModeDiffers: boolean): ChangeStatus {
  switch (letters[0]) {
    case "A":
      return "added";
    case "D":
      return "deleted";
    case "R":
      return "renamed";
    case "C":
      return "copied";
    case "T":
      return "type changed";
    default:
      return onlyModeDiffers ? "mode changed" : "modified";
  }
}

function readCount(fields: FieldReader): LineCount | undefined {
  const [added, deleted, path] = fields.next()?.toString("latin1").split("\t") ?? [];
  if (added === undefined || deleted === undefined || path === undefined) return undefined;
  // A renamed file has its two paths in fields of their own.
  if (path === "" && (fields.next() === undefined || fields.next() === undefined)) return undefined;
  return added === "-" ? { added: undefined, deleted: undefined } : { added: Number(added), deleted: Number(deleted) };
}

interface FieldReader {
  readonly peek: () => number | undefined;
  /** The next field, or undefined when the end of the output cuts it off. */
  readonly next: () => Buffer | undefined;
  readonly position: () => number;
}

/** Reads fields that end in NUL. */
function readFields(bytes: Buffer): FieldReader {
  let position = 0;
  return {
    peek: () => bytes[position],
    position: () => position,
    next: () => {
      const end = bytes.indexOf(0, position);
      if (end < 0) return undefined;
      const field = bytes.subarray(position, end);
      position = end + 1;
      return field;
    },
  };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const HEADER = "diff --git ";
const NEXT_HEADER = Buffer.from(`\n${HEADER}`);

/**
 * The places of the files' sections in a patch, in the order of the entries. Lines of content begin with a space, a sign or a backslash,
 * so a header cannot be imitated. Of a patch that was cut off the last section is dropped, as its end is not known.
 */
export function splitPatch(patch: Buffer, entries: readonly RawEntry[], cutOff: boolean): Range[] {
  const starts = patch.length > 0 ? [0] : [];
  for (let at = patch.indexOf(NEXT_HEADER); at >= 0; at = patch.indexOf(NEXT_HEADER, at + 1)) starts.push(at + 1);
  const end = cutOff ? starts.pop() : patch.length;
  const ranges: Range[] = [];
  let section = 0;
  for (const entry of entries) {
    // A file that becomes a link (or the reverse) is printed as one removed and one added.
    const last = section + (entry.status === "type changed" ? 2 : 1);
    const start = starts[section];
    if (start === undefined || last > starts.length) break;
    ranges.push({ start, end: starts[last] ?? end ?? patch.length });
    section = last;
  }
  return ranges;
}

type ChangeStatus = "added" | "modified" | "deleted" | "renamed" | "copied" | "type changed" | "mode changed";

export type EntryKind = "file" | "symlink" | "submodule" | "folder";

/** One file of a diff, as git's metadata describe it; complete also where there is no text to show. */
export interface ChangedFile {
  readonly status: ChangeStatus;
  /** Written as `pathFromBytes` does; undefined for an added file. */
  readonly oldPath: string | undefined;
  /** Undefined for a deleted file. */
  readonly newPath: string | undefined;
  /** Six octal digits, such as `100644`. */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  readonly oldSha: string | undefined;
  readonly newSha: string | undefined;
  readonly oldKind: EntryKind | undefined;
  readonly newKind: EntryKind | undefined;
  /** Percent, for renamed and copied files. */
  readonly similarity: number | undefined;
  /** Undefined where lines were not counted: binary and too large files, and a diff that was cut off. */
  readonly addedLines: number | undefined;
  readonly deletedLines: number | undefined;
  /** No text diff, because git takes a side for binary or because one is larger than the limit (`tooLarge`). */
  readonly binary: boolean;
  readonly tooLarge: boolean;
  /** Bytes of the content; undefined for what is not a blob in the mirror. */
  readonly oldBytes: number | undefined;
  readonly newBytes: number | undefined;
  /** Where in `patch` the text of this file stands; undefined when the patch ended before. */
  readonly patchRange: { readonly start: number; readonly end: number } | undefined;
}

export function kindOfMode(mode: string): EntryKind {
  if (mode === "120000") return "symlink";
  if (mode === "160000") return "submodule";
  return mode === "040000" ? "folder" : "file";
}
