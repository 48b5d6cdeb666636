import type { WorkspaceFailure } from "./failure.ts";
import { type FetchLimits, UPDATE_MERGES } from "./limits.ts";
import { isAncestor, mergedTree, readTreeOf } from "./merged-tree.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { requireObjectId } from "./revision.ts";

export interface Push {
  readonly oldHead: string;
  readonly newHead: string;
  /** Where the base branch is now. */
  readonly base: string;
  readonly fetchLimits?: FetchLimits;
  readonly signal?: AbortSignal | undefined;
}

export interface PushKind {
  readonly ok: true;
  readonly isUpdateMergeOnly: boolean;
  /** The reason, in words. */
  readonly because: string;
}

/**
 * GH-3: whether a push only merged the base branch in, with exactly the tree that git's own merge gives, so that it holds no new work.
 * All commits must be in the mirror. Every doubt is a no.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function isUpdateMergeOnly(mirror: Mirror, push: Push): Promise<PushKind | WorkspaceFailure> {
  const oldHead = requireObjectId(push.oldHead);
  const base = requireObjectId(push.base);
  let commit = requireObjectId(push.newHead);
  return withMirror(mirror, push.signal, async () => {
    for (let merges = 0; merges < UPDATE_MERGES; merges += 1) {
      if (commit === oldHead) return answer(merges > 0, merges > 0 ? "every commit is a clean merge" : "nothing new");
      const found = await readTreeOf(mirror, commit, push.signal);
      if (!found.ok) return found;
      const [first, second, ...more] = found.parents;
      if (first === undefined || second === undefined || more.length > 0) return answer(false, "a commit is no merge");
      const known = await isAncestor(mirror, second, base, push.signal);
      if (!known.ok) return known;
      if (!known.yes) return answer(false, "something else than the base branch was merged");
      const merged = await mergedTree(mirror, first, second, push);
      if (!merged.ok) return merged;
      if (merged.tree !== found.tree) return answer(false, "the merge was edited or had conflicts");
      commit = first;
    }
    return answer(false, `more than ${UPDATE_MERGES} merges, or the old head is not among the first parents`);
  });
}

function answer(isUpdateMergeOnly: boolean, because: string): PushKind {
  return { ok: true, isUpdateMergeOnly, because };
}
