import { defined } from "../domain/defined.ts";
import type { ChangedFile as ListedFile } from "../workspace/changed-file.ts";
import type { FileMetadata } from "./parse-diff.ts";

/**
 * What the workspace lists, as `parseDiff` takes it. Where lines were not counted (the diff was cut off, or the file is too large for
 * a text diff) a file counts as one added line whose place is unknown: so it ends as a gap and not as a file without added lines.
 */
export function fileMetadata(files: readonly ListedFile[]): FileMetadata[] {
  return files.map((file) => {
    const binary = file.binary && !file.tooLarge;
    const uncounted = file.addedLines === undefined && !binary && file.status !== "deleted";
    return {
      path: file.newPath ?? file.oldPath ?? "",
      ...(file.oldPath === undefined || file.oldPath === file.newPath ? {} : { oldPath: file.oldPath }),
      status: STATUS[file.status],
      oldMode: file.oldMode ?? "000000",
      newMode: file.newMode ?? "000000",
      ...defined({ blob: file.newSha, oldBlob: file.oldSha }),
      binary,
      addedLines: file.addedLines ?? (uncounted ? 1 : 0),
      deletedLines: file.deletedLines ?? 0,
      ...defined({ patchRange: file.patchRange }),
    };
  });
}

const STATUS = {
  added: "added",
  modified: "modified",
  deleted: "deleted",
  renamed: "renamed",
  copied: "copied",
  "type changed": "type_changed",
  "mode changed": "modified",
} as const satisfies Record<ListedFile["status"], FileMetadata["status"]>;
