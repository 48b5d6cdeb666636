import { failure, gitFailure, type WorkspaceFailure } from "../failure.ts";
import { isGitName } from "../files/clean-path.ts";
import { type GitCall, runGit } from "../git.ts";
import { LISTING_BYTES_PER_FILE, TREE_ENTRIES } from "../limits.ts";

/**
 * A path as its bytes, one character for each (latin1): names in a repository need not be UTF-8, and comparing these strings is comparing
 * bytes, which is git's order. `pathFromBytes(Buffer.from(path, "latin1"))` is what people read.
 */
export type BytePath = string;

export interface Entry {
  /** Six octal digits, such as `100644`, as the tree has it. */
  readonly mode: string;
  readonly sha: string;
}

/** All that is not a folder, by path. */
export type Entries = ReadonlyMap<BytePath, Entry>;

export interface TreeContents {
  readonly ok: true;
  readonly entries: Entries;
  /** The id of the tree itself. */
  readonly root: string;
  /** The id of each folder, the root's under the empty path. */
  readonly folders: ReadonlyMap<BytePath, string>;
}

/** Everything in the tree of a commit, or of a tree by its id: a full object id that was checked. The caller holds the objects. */
export async function readEntries(
  { gitDirectory, signal }: Pick<GitCall, "gitDirectory" | "signal">,
  treeish: string,
): Promise<TreeContents | WorkspaceFailure> {
  const named = await runGit({ gitDirectory, args: ["rev-parse", "--verify", `${treeish}^{tree}`], signal });
  if (!named.ok) return gitFailure("Finding the tree", named);
  const root = named.stdout.toString().trim();
  const result = await runGit({
    gitDirectory,
    args: ["ls-tree", "-z", "-r", "-t", "--full-tree", root, "--"],
    maxOutputBytes: TREE_ENTRIES * LISTING_BYTES_PER_FILE,
    signal,
  });
  if (!result.ok) return gitFailure("Listing the tree", result);
  const entries = new Map<BytePath, Entry>();
  const folders = new Map<BytePath, string>([["", root]]);
  for (const record of result.stdout.toString("latin1").split("\0")) {
    const tab = record.indexOf("\t");
    if (tab < 0) continue;
    const [mode = "", type, sha = ""] = record.slice(0, tab).split(" ");
    const path = record.slice(tab + 1);
    if (type === "tree") folders.set(path, sha);
    else entries.set(path, { mode, sha });
  }
  if (entries.size > TREE_ENTRIES) return failure("too large", `The repository has more than ${TREE_ENTRIES} files.`);
  return { ok: true, root, entries, folders };
}

export function isRegular({ mode }: Entry): boolean {
  return mode.startsWith("100");
}

export function isExecutable({ mode }: Entry): boolean {
  return isRegular({ mode, sha: "" }) && (Number.parseInt(mode, 8) & 0o100) !== 0;
}

export function isSubmodule({ mode }: Entry): boolean {
  return mode === "160000";
}

/** The folders that a path lies in, the outermost first. */
export function foldersOf(path: BytePath): BytePath[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, depth) => parts.slice(0, depth + 1).join("/"));
}

/** Folders of installed or generated files that no repository means to have changed, whether its `.gitignore` says so or not. */
const INSTALLED = new Set(["node_modules", ".pnpm-store", ".venv", "__pycache__", ".hg", ".svn"]);

/** A name that is never looked into: of git's own in any spelling, or of packages that an installation put there. */
export function isLeftOutName(name: BytePath): boolean {
  return INSTALLED.has(name) || isGit(name);
}

/** A path that the files on disk say nothing of: what the commit has there stays as it is. */
export function isLeftOut(path: BytePath): boolean {
  return path.split("/").some(isLeftOutName);
}

/** Whether a path may be written to disk: git itself refuses to check others out. */
export function isWritable(path: BytePath): boolean {
  const names = path.split("/");
  return !names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0") || isGit(name));
}

function isGit(name: BytePath): boolean {
  return isGitName(Buffer.from(name, "latin1").toString("utf8"));
}
