import { type PresentedFile, presentFile } from "../../../analysis/present-change.ts";
import { defined } from "../../../domain/defined.ts";
import { takeTurns } from "../../../workspace/files/turns.ts";
import type { Change } from "../../change/read-change.ts";

/** The changed files as a model reads them by `git_diff`; what is no text is left out. */
export async function presentedFiles({ files, contents, oldContents }: Change): Promise<PresentedFile[]> {
  const turn = takeTurns({ most: 1 });
  const presented: PresentedFile[] = [];
  for (const { path, oldPath } of files) {
    const [after, before] = [contents.get(path), oldContents.get(path)];
    if (!Buffer.isBuffer(after)) continue;
    const old = Buffer.isBuffer(before) ? { before: before.toString("utf8") } : {};
    presented.push(
      presentFile({ path, ...defined({ oldPath: oldPath || undefined }), ...old, after: after.toString("utf8") }),
    );
    await turn();
  }
  return presented;
}
