import { type PresentedFile, presentChange, type TextChange } from "../../analysis/present-change.ts";
import { defined } from "../../domain/defined.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { Change } from "./read-change.ts";

type ChangedTexts = Pick<Change, "files" | "contents" | "oldContents">;

/** Comparing is what takes time, and a review shows the same change to several readers. */
const presented = new WeakMap<Change["files"], Promise<readonly PresentedFile[]>>();

/** The changed files as a model reads them; what the head has no text of is left out. */
export function presentFiles(change: ChangedTexts): Promise<readonly PresentedFile[]> {
  const known = presented.get(change.files) ?? present(change);
  presented.set(change.files, known);
  return known;
}

async function present(change: ChangedTexts): Promise<readonly PresentedFile[]> {
  const turn = takeTurns({ most: 1 });
  const files: PresentedFile[] = [];
  for (const file of change.files) {
    const text = textOf(change, file);
    if (text === undefined) continue;
    files.push(await presentChange(text));
    await turn();
  }
  return files;
}

/** Both sides of a changed file; undefined where the head has no text of it. */
export function textOf(
  { contents, oldContents }: Pick<ChangedTexts, "contents" | "oldContents">,
  { path, oldPath, mode, oldMode }: Change["files"][number],
): (TextChange & { readonly after: string }) | undefined {
  const [after, before] = [contents.get(path), oldContents.get(path)];
  if (!Buffer.isBuffer(after)) return undefined;
  const old = Buffer.isBuffer(before) ? { before: before.toString("utf8") } : {};
  return { path, ...defined({ oldPath, mode, oldMode }), ...old, after: after.toString("utf8") };
}
