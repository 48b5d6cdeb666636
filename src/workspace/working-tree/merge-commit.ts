import { ForgeError } from "../../domain/errors.ts";
import { gitFailure, type WorkspaceFailure } from "../failure.ts";
import { watchedTransfer } from "../fetch-objects.ts";
import { type GitResult, runGit } from "../git.ts";
import { FETCH_BLOBS_LIMITS, FETCH_MEMORY_BYTES } from "../limits.ts";
import { pathFromBytes } from "../path-text.ts";
import { requireObjectId } from "../revision.ts";
import { isRegular, readEntries } from "./entries.ts";
import { type CommitText, commitObject } from "./git-object.ts";
import { learnTree, lookAt, storeObjects, type TreeState } from "./tree-state.ts";
import { removeFile, writeEntries } from "./write-entries.ts";

export interface MergeSpec extends Pick<CommitText, "message" | "author" | "at"> {
  /** Full id; fetched where the mirror does not have it yet. */
  readonly commit: string;
}

export type MergeOutcome =
  /** The head now: a merge commit, the other commit itself where nothing of ours is missing in it, or the old head when it has all. */
  | { readonly ok: true; readonly sha: string }
  /** Files that git cannot merge, written as `pathFromBytes` does. Nothing was changed. */
  | { readonly ok: false; readonly files: readonly string[] };

/**
 * Merges another commit into the head, by git's own merge over objects, and brings the files up to date.
 * @throws ForgeError `working_tree_dirty` when there is something uncommitted, `invalid_revision`, `working_tree_unavailable`
 */
export async function mergeCommit(state: TreeState, spec: MergeSpec): Promise<MergeOutcome> {
  const other = requireObjectId(spec.commit);
  const { git, signal, head, mirror, root } = state;
  if ((await lookAt(state)).tree.sha !== state.headTree) throw dirty();
  const needs = [state.base, ...state.merged, other];
  const merged = await git.hold(needs, async () => {
    if (await isAncestor(state, other, head)) return { ok: true, kind: "nothing new" } as const;
    if (!(await isAncestor(state, head, other))) return mergeTrees(state, other);
    return { ok: true, kind: "all theirs", tree: other } as const;
  });
  if (merged.kind === "nothing new") return { ok: true, sha: head };
  if (merged.kind === "conflict") return { ok: false, files: merged.files };

  const contents = await git.hold(needs, () => readEntries({ gitDirectory: git.gitDirectory, signal }, merged.tree));
  const old = state.tracked;
  const differing = [...contents.entries].filter(([path, { mode, sha }]) => {
    const before = old.get(path);
    return before?.sha !== sha || before.mode !== mode;
  });
  // Also where it ends half-way.
  state.seen = undefined;
  const unwritten = await writeEntries({ root, mirror, git, needs, signal }, differing);
  const gone = [...old].filter(([path, entry]) => isRegular(entry) && !contents.entries.has(path));
  // A file that is not written any more must not stay behind with its old content.
  const noFiles = differing.filter(([path, entry]) => unwritten.has(path) || !isRegular(entry));
  for (const [path] of [...gone, ...noFiles]) await removeFile(root, path);

  const parents = merged.kind === "merged" ? [head, other] : [];
  const { message, author, at } = spec;
  const commit = commitObject({ tree: contents.root, parents, message, author, at });
  if (merged.kind === "merged") await storeObjects(state, [commit]);
  const stillUnwritten = [...state.unwritten].filter((path) => contents.entries.get(path)?.sha === old.get(path)?.sha);
  state.unwritten = new Set([...stillUnwritten, ...unwritten]);
  // What only an older commit holds is written anew where it comes back: the mirror need not have it.
  state.known.clear();
  learnTree(state, contents);
  state.merged.push(other);
  state.head = merged.kind === "merged" ? commit.sha : other;
  state.headTree = contents.root;
  state.tracked = contents.entries;
  return { ok: true, sha: state.head };
}

async function isAncestor({ git, signal }: TreeState, sha: string, of: string): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", sha, of];
  const result = await runGit({ gitDirectory: git.gitDirectory, args, okCodes: [0, 1], signal });
  return result.ok && result.code === 0;
}

type Merged =
  | { readonly ok: true; readonly kind: "merged"; readonly tree: string }
  | { readonly ok: true; readonly kind: "conflict"; readonly files: readonly string[] };

/** Which contents a merge needs only the merge knows: git fetches them itself here, within the limits of a fetch. */
async function mergeTrees({ git, head, signal }: TreeState, other: string): Promise<Merged | WorkspaceFailure> {
  let result: GitResult | undefined;
  const limits = FETCH_BLOBS_LIMITS;
  const transferred = await watchedTransfer(git.asMirror, { limits, signal }, async (combined, fileBytes) => {
    result = await runGit({
      gitDirectory: git.gitDirectory,
      args: ["merge-tree", "--write-tree", "--no-messages", "--name-only", "-z", head, other],
      remote: git.asMirror.remote,
      okCodes: [0, 1],
      timeoutMs: limits.timeMs,
      memoryBytes: FETCH_MEMORY_BYTES,
      fileBytes,
      signal: combined,
    });
    return result;
  });
  if (!transferred.ok) return transferred;
  const [tree = "", ...files] = (result?.stdout.toString("latin1") ?? "").split("\0");
  if (result?.code === 0) return { ok: true, kind: "merged", tree: tree.trim() };
  if (result === undefined || !result.ok) return gitFailure("Merging", result as GitResult);
  const named = [...new Set(files.filter((path) => path !== ""))];
  return { ok: true, kind: "conflict", files: named.map((path) => pathFromBytes(Buffer.from(path, "latin1"))) };
}

function dirty(): ForgeError {
  const message = "There are changes in the working tree that are not committed: commit them, then merge.";
  return new ForgeError("working_tree_dirty", message, { source: "logic", recoverability: "none" });
}
