import { gitFailure, type WorkspaceFailure } from "./failure.ts";
import { watchedTransfer } from "./fetch-objects.ts";
import { type GitResult, runGit } from "./git.ts";
import { FETCH_BLOBS_LIMITS, FETCH_MEMORY_BYTES, type FetchLimits } from "./limits.ts";
import type { Mirror } from "./mirror.ts";

/** A commit of the mirror with its tree and parents. The caller holds the mirror. */
export async function readTreeOf(
  mirror: Mirror,
  sha: string,
  signal: AbortSignal | undefined,
): Promise<{ ok: true; tree: string; parents: string[] } | WorkspaceFailure> {
  const args = ["log", "--max-count=1", "--format=%T %P", sha, "--"];
  const result = await runGit({ gitDirectory: mirror.places.gitDirectory, args, signal });
  if (!result.ok) return gitFailure("Reading a commit", result);
  const [tree = "", ...parents] = result.stdout.toString().trim().split(" ");
  return { ok: true, tree, parents };
}

/** Whether a commit is in the history of another one, or is that one. The caller holds the mirror. */
export async function isAncestor(mirror: Mirror, sha: string, of: string, signal: AbortSignal | undefined) {
  const args = ["merge-base", "--is-ancestor", sha, of];
  const result = await runGit({ gitDirectory: mirror.places.gitDirectory, args, okCodes: [0, 1], signal });
  return result.ok ? ({ ok: true, yes: result.code === 0 } as const) : gitFailure("Comparing histories", result);
}

/**
 * The tree that git's own merge of two commits gives; undefined where they conflict. Which contents a merge needs only the merge knows: git
 * fetches them itself here, within the limits of a fetch. The caller holds the mirror.
 */
export async function mergedTree(
  mirror: Mirror,
  one: string,
  other: string,
  {
    fetchLimits: limits = FETCH_BLOBS_LIMITS,
    signal,
  }: { readonly fetchLimits?: FetchLimits | undefined; readonly signal?: AbortSignal | undefined },
): Promise<{ ok: true; tree: string | undefined } | WorkspaceFailure> {
  let result: GitResult | undefined;
  const transferred = await watchedTransfer(mirror, { limits, signal }, async (combined, fileBytes) => {
    result = await runGit({
      gitDirectory: mirror.places.gitDirectory,
      args: ["merge-tree", "--write-tree", "--no-messages", one, other],
      remote: mirror.remote,
      okCodes: [0, 1],
      timeoutMs: limits.timeMs,
      memoryBytes: FETCH_MEMORY_BYTES,
      fileBytes,
      signal: combined,
    });
    return result;
  });
  if (!transferred.ok) return transferred;
  return { ok: true, tree: result?.code === 0 ? result.stdout.toString().trim() : undefined };
}
