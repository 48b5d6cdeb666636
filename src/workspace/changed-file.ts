export type ChangeStatus = "added" | "modified" | "deleted" | "renamed" | "copied" | "type changed" | "mode changed";

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
