import type { Mirror } from "../../workspace/mirror.ts";
import { readBlobs } from "../../workspace/read-blobs.ts";
import { needed } from "./fetch-ends.ts";
import type { Change } from "./read-change.ts";

/** More deleted files than these are a move or a clean-up. */
const MOST_DELETED = 500;

/** A review reads nothing of what is gone; whoever looks after tests has to know which ones were there. */
export async function withDeleted(mirror: Mirror, change: Change, signal: AbortSignal): Promise<Change> {
  const gone = change.files.flatMap(({ path, status }) => (status === "deleted" ? [path] : [])).slice(0, MOST_DELETED);
  if (gone.length === 0) return change;
  const requests = gone.map((path) => ({ commit: change.mergeBaseSha, path }));
  const { blobs } = needed(await readBlobs(mirror, requests, { signal }));
  const old = gone.flatMap((path, at) => {
    const blob = blobs[at];
    return blob && "content" in blob ? [[path, blob.content] as const] : [];
  });
  return { ...change, oldContents: new Map([...change.oldContents, ...old]) };
}
