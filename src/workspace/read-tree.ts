import { failure, gitFailure, type WorkspaceFailure } from "./failure.ts";
import { objectInfo } from "./fetch-blobs.ts";
import { type GitResult, runGit } from "./git.ts";
import { LISTING_BYTES_PER_FILE, TREE_ENTRIES } from "./limits.ts";
import { type Mirror, withMirror } from "./mirror.ts";
import { type EntryKind, kindOfMode } from "./parse-raw-diff.ts";
import { pathFromBytes } from "./path-text.ts";
import { requireObjectId } from "./revision.ts";

interface TreeEntry {
  /** Written as `pathFromBytes` does. */
  readonly path: string;
  /** Six octal digits, such as `100644`. */
  readonly mode: string;
  readonly kind: EntryKind;
  readonly sha: string;
}

export interface TreeRequest {
  readonly commit: string;
  /** Only these; all when not given. */
  readonly paths?: readonly string[];
  /** Into folders as well; folders themselves are then not listed. */
  readonly recursive: boolean;
  readonly maxEntries: number;
  readonly signal?: AbortSignal | undefined;
}

export interface TreeListing {
  readonly ok: true;
  readonly entries: TreeEntry[];
  /** There are more than `maxEntries`. */
  readonly truncated: boolean;
}

/** Entries of the tree of a commit, in git's order. The caller holds the lock. */
export async function readTree(mirror: Mirror, request: TreeRequest): Promise<TreeListing | WorkspaceFailure> {
  const { commit, recursive, maxEntries, signal } = request;
  const result = await runGit({
    gitDirectory: mirror.places.gitDirectory,
    args: ["ls-tree", "-z", "--full-tree", ...(recursive ? ["-r"] : []), commit, "--", ...(request.paths ?? [])],
    maxOutputBytes: (maxEntries + 1) * LISTING_BYTES_PER_FILE,
    signal,
  });
  if (!result.ok && !result.truncated) return listingFailure(mirror, commit, result);
  const entries: TreeEntry[] = [];
  let start = 0;
  for (let end = result.stdout.indexOf(0); end >= 0; end = result.stdout.indexOf(0, start)) {
    if (entries.length === maxEntries) return { ok: true, entries, truncated: true };
    entries.push(readEntry(result.stdout.subarray(start, end)));
    start = end + 1;
  }
  return { ok: true, entries, truncated: result.truncated };
}

/** Git says "not a tree object" of a commit that was never fetched and of one that is damaged; only the latter is a fault. */
async function listingFailure(mirror: Mirror, commit: string, result: GitResult): Promise<WorkspaceFailure> {
  const found = await objectInfo(mirror, [commit]);
  if (found.ok && !found.objects.has(commit))
    return failure("missing commit", `Commit ${commit} is not in the mirror.`);
  return gitFailure("Listing the tree", result);
}

function readEntry(record: Buffer): TreeEntry {
  const tab = record.indexOf("\t");
  const [mode = "", , sha = ""] = record.subarray(0, tab).toString("latin1").split(" ");
  return { path: pathFromBytes(record.subarray(tab + 1)), mode, kind: kindOfMode(mode), sha };
}

/**
 * All files of a commit, links and submodules marked by their kind, without fetching anything.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function listTree(
  mirror: Mirror,
  commit: string,
  options: { maxEntries?: number; signal?: AbortSignal | undefined } = {},
): Promise<TreeListing | WorkspaceFailure> {
  requireObjectId(commit);
  const { maxEntries = TREE_ENTRIES, signal } = options;
  return withMirror(mirror, signal, () => readTree(mirror, { commit, recursive: true, maxEntries, signal }));
}

/**
 * The id of a commit's tree: two commits with the same have the same files. The commit must be in the mirror.
 * @throws ForgeError `invalid_revision`, `program_missing`
 */
export async function readTreeId(
  mirror: Mirror,
  commit: string,
  signal?: AbortSignal,
): Promise<{ readonly ok: true; readonly tree: string } | WorkspaceFailure> {
  const sha = requireObjectId(commit);
  return withMirror(mirror, signal, async () => {
    const args = ["log", "--max-count=1", "--format=%T", sha, "--"];
    const result = await runGit({ gitDirectory: mirror.places.gitDirectory, args, signal });
    if (!result.ok) return gitFailure("Reading a commit", result);
    return { ok: true, tree: result.stdout.toString().trim() };
  });
}
