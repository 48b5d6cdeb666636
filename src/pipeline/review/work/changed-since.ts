import { fileMetadata } from "../../../analysis/file-metadata.ts";
import { parseDiff } from "../../../analysis/parse-diff.ts";
import { type ChangedLines, lineRanges } from "../../../domain/hunks.ts";
import { diffRaw, findMergeBase } from "../../../workspace/diff.ts";
import { type Mirror, withMirror } from "../../../workspace/mirror.ts";

/**
 * The lines that changed since another head (GH-3b). Undefined where that cannot be said: the branch was rewritten, so that the other
 * head is none of its commits any more, or the comparison was cut off.
 */
export async function changedSince(
  mirror: Mirror,
  { earlier, head, signal }: { readonly earlier: string; readonly head: string; readonly signal: AbortSignal },
): Promise<ChangedLines[] | undefined> {
  const common = await withMirror(mirror, signal, () => findMergeBase(mirror, earlier, head, signal));
  if (!common.ok || common.sha !== earlier) return undefined;
  const diff = await diffRaw(mirror, { base: earlier, head, signal });
  if (!diff.ok || diff.truncated) return undefined;
  const { files } = await parseDiff(diff.patch, fileMetadata(diff.files));
  return files.map(({ path, hunks }) => ({ path, ranges: lineRanges(hunks.flatMap(({ added }) => added)) }));
}
