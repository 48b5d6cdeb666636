import { TREE_ENTRIES } from "./limits.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { readTree, type TreeListing } from "./read-tree.ts";
import type { Refusal } from "./refusal.ts";
import { requireObjectId } from "./revision.ts";

/**
 * All files of a commit, links and submodules marked by their kind, without fetching anything.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function listTree(
  mirror: Mirror,
  commit: string,
  options: { maxEntries?: number; signal?: AbortSignal | undefined } = {},
): Promise<TreeListing | Refusal> {
  requireObjectId(commit);
  const { maxEntries = TREE_ENTRIES, signal } = options;
  return withMirror(mirror, signal, () => readTree(mirror, { commit, recursive: true, maxEntries, signal }));
}
