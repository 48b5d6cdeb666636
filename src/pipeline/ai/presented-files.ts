import { type PresentedFile, presentFile } from "../../analysis/present-change.ts";
import type { Change } from "../read-change.ts";

/** The changed files as a model reads them by `git_diff`; what is no text is left out. */
export function presentedFiles({ files, contents, oldContents }: Change): PresentedFile[] {
  return files.flatMap(({ path, oldPath }) => {
    const [after, before] = [contents.get(path), oldContents.get(path)];
    if (!Buffer.isBuffer(after)) return [];
    const old = Buffer.isBuffer(before) ? { before: before.toString("utf8") } : {};
    return [presentFile({ path, ...(oldPath ? { oldPath } : {}), ...old, after: after.toString("utf8") })];
  });
}
