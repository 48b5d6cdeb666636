import type { PresentedFile } from "../../analysis/present-change.ts";

/** What one reading of a reviewer holds: with more, every reviewer gets worse (REV-4a). Twenty ordinary files fit. */
export const PART_TOKENS = 60_000;

/** Readings of one change; what is beyond them is not read, and said. */
export const MOST_PARTS = 4;

export interface Partition {
  readonly parts: readonly (readonly PresentedFile[])[];
  /** Files that no part holds. */
  readonly left: readonly string[];
}

/**
 * The change in portions that one reviewer can hold, files of one folder together. A file that is larger than a portion is not read by
 * the model: nobody wrote so much by hand, and nobody reviews it in one go.
 */
export function partition(files: readonly PresentedFile[], tokensOf: (text: string) => number): Partition {
  const parts: PresentedFile[][] = [];
  const left: string[] = [];
  let room = 0;
  for (const file of files.toSorted((a, b) =>
    folderOf(a.path) < folderOf(b.path) ? -1 : folderOf(a.path) > folderOf(b.path) ? 1 : 0,
  )) {
    const tokens = tokensOf(file.text);
    if (tokens > PART_TOKENS) left.push(file.path);
    else if (tokens <= room) {
      parts.at(-1)!.push(file);
      room -= tokens;
    } else if (parts.length < MOST_PARTS) {
      parts.push([file]);
      room = PART_TOKENS - tokens;
    } else left.push(file.path);
  }
  return { parts, left };
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
