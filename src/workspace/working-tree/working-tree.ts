import { lstat, mkdtemp, realpath, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ForgeError } from "../../domain/errors.ts";
import { type OwnClone, openClone } from "../clone.ts";
import { compareTrees, type RawPullRequestDiff } from "../diff.ts";
import { gitFailure } from "../failure.ts";
import { type Listing, openFolderFiles } from "../files/folder-files.ts";
import type { WorkFiles } from "../files/repository-files.ts";
import { createFolderLock } from "../folder-lock.ts";
import { DIFF_LIMITS } from "../limits.ts";
import type { Mirror } from "../mirror.ts";
import { pathFromBytes } from "../path-text.ts";
import { removeFolder } from "../remove-folder.ts";
import { requireObjectId } from "../revision.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { readEntries } from "./entries.ts";
import { type FolderMemory, knownId, type Tracked } from "./folder-state.ts";
import { type CommitText, commitObject, indexPack } from "./git-object.ts";
import { type MergeOutcome, type MergeSpec, mergeCommit } from "./merge-commit.ts";
import { openPrivateGit, type PrivateGit, treeUnavailable } from "./private-git.ts";
import { scanFolder } from "./scan-folder.ts";
import { packState, type TreeSnapshot } from "./snapshot.ts";
import { type Look, learnTree, lookAt, see, storeLook, storeObjects, type TreeState } from "./tree-state.ts";
import { writeEntries } from "./write-entries.ts";

export interface WorkingTreeSpec {
  readonly mirror: Mirror;
  /** Full id; fetched where the mirror does not have it. */
  readonly base: string;
  /** A folder of ours, absolute; two folders are made in it and removed in the end. */
  readonly scratchRoot: string;
  /** Undefined where the machine has none: then nothing can be run. */
  readonly sandbox?: Sandbox | undefined;
  /** Where to go on. */
  readonly snapshot?: TreeSnapshot | undefined;
  /** Ends whatever the working tree is about to do, also later. */
  readonly signal: AbortSignal;
}

export type CommitSpec = Pick<CommitText, "message" | "author" | "at">;

export type CommitOutcome = { readonly sha: string; readonly tree: string } | { readonly unchanged: true };

/** The difference to a commit, as of a pull request: metadata of each file, and the text as git prints it. */
export type TreeDiff = Omit<RawPullRequestDiff, "ok" | "mergeBase">;

/**
 * The files of an implementation in progress, and the commits it has made (IMPL-1). Git's part lies outside of the folder, where no
 * program of the sandbox gets to, and never reads the folder's own idea of git: a `.git`, attributes, filters, links and submodules in it
 * have no effect. Every method waits until no file tool and no program is at work, and throws ForgeError `working_tree_unavailable`,
 * `working_tree_unreadable` or `working_tree_too_large` when it cannot be done.
 */
export interface WorkingTree extends AsyncDisposable {
  readonly base: string;
  readonly folder: string;
  readonly files: WorkFiles;
  /** The same files with programs in the sandbox; undefined where there is no sandbox, so that nothing can be run (SEC-1). */
  readonly clone: OwnClone | undefined;
  /** The base, or the last commit made or merged. */
  head(): string;
  /** The tree that a commit would have now: see `readFolderState` for what belongs to it. */
  treeId(): Promise<string>;
  /** Commits everything that changed since the head. The same input gives the same commit. */
  commit(spec: CommitSpec): Promise<CommitOutcome>;
  /** The files in comparison with a commit: the base, the head, or another that was made or merged here. */
  changedSince(commit: string): Promise<TreeDiff>;
  /** Everything that is needed to go on elsewhere. The same object as the last time where nothing changed. */
  snapshot(): Promise<TreeSnapshot>;
  /** @throws ForgeError `working_tree_dirty` as well */
  merge(spec: MergeSpec): Promise<MergeOutcome>;
}

/**
 * Writes the files of the base, or of a snapshot, into a folder of our own.
 * @throws ForgeError `invalid_revision`, `program_missing`, `working_tree_unavailable`
 */
export async function openWorkingTree(spec: WorkingTreeSpec): Promise<WorkingTree> {
  const { mirror, scratchRoot, sandbox, snapshot, signal } = spec;
  const base = requireObjectId(spec.base);
  const root = await realpath(await mkdtemp(join(scratchRoot, "tree-")));
  const git = await openPrivateGit(mirror, scratchRoot, signal);
  const remove = async () => {
    await git[Symbol.asyncDispose]();
    await removeFolder(root);
  };
  try {
    const lock = createFolderLock();
    const state = await openState({ lock, root, mirror, git, base, sandbox, snapshot, signal });
    const list = () => listFiles(state);
    const files = openFolderFiles({ root, lock, list });
    const clone = sandbox === undefined ? undefined : await openClone({ folder: root, sandbox, list, lock });
    const alone = <T>(work: () => Promise<T>) => lock.alone(signal, work);
    let kept = snapshot;
    return {
      ...{ base, folder: root, files: clone?.files ?? files, clone },
      head: () => state.head,
      treeId: () => alone(async () => (await lookAt(state)).tree.sha),
      commit: (given) => alone(() => commitAll(state, given)),
      changedSince: (commit) => alone(async () => compare(state, requireObjectId(commit), await lookAt(state))),
      snapshot: () =>
        alone(async () => {
          const look = await lookAt(state);
          if (kept?.head !== state.head || kept.tree !== look.tree.sha) kept = await packState(state, look);
          return kept;
        }),
      merge: (given) => lock.exclusive(signal, () => mergeCommit(state, given)),
      [Symbol.asyncDispose]: () => lock.exclusive(undefined, remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function listFiles(state: TreeState): Promise<Listing> {
  const { belonging } = await see(state);
  const named = belonging.map(([path, file]) => ({
    path: pathFromBytes(Buffer.from(path, "latin1")),
    id: knownId(state.memory, path, file),
  }));
  return {
    paths: named.map(({ path }) => path).sort(),
    ids: new Map(named.flatMap(({ path, id }) => (id === undefined ? [] : [[path, id]]))),
  };
}

async function commitAll(state: TreeState, spec: CommitSpec): Promise<CommitOutcome> {
  const look = await lookAt(state);
  const tree = look.tree.sha;
  if (tree === state.headTree) return { unchanged: true };
  await storeLook(state, look);
  const { message, author, at } = spec;
  const commit = commitObject({ tree, parents: [state.head], message, author, at });
  await storeObjects(state, [commit]);
  // The folder is as it was, and all that belongs to the repository still does.
  const seen = state.seen && { ...state.seen, tracked: look.entries };
  Object.assign(state, { head: commit.sha, headTree: tree, tracked: look.entries, seen });
  return { sha: commit.sha, tree };
}

async function compare(state: TreeState, from: string, look: Look): Promise<TreeDiff> {
  const { git, base, merged, signal } = state;
  await storeLook(state, look);
  const compared = { mirror: git.asMirror, from, to: look.tree.sha, limits: DIFF_LIMITS, signal };
  const { files, patch, truncated } = await git.hold([base, ...merged], () => compareTrees(compared, from));
  return { files, patch, truncated };
}

interface StateSpec {
  readonly lock: TreeState["lock"];
  readonly root: string;
  readonly mirror: Mirror;
  readonly git: PrivateGit;
  readonly base: string;
  readonly snapshot: TreeSnapshot | undefined;
  /** Others with access to the files. */
  readonly sandbox: Pick<Sandbox, "adopt"> | undefined;
  readonly signal: AbortSignal;
}

/** Brings commits and contents together and writes the files into the empty folder. */
async function openState({ sandbox, snapshot, ...spec }: StateSpec): Promise<TreeState> {
  const { lock, root, mirror, git, base, signal } = spec;
  if (snapshot !== undefined && snapshot.base !== base) throw otherBase();
  const head = requireObjectId(snapshot?.head ?? base);
  const tree = snapshot && requireObjectId(snapshot.tree);
  const merged = (snapshot?.merged ?? []).map(requireObjectId);
  const needs = [base, ...merged];
  if (snapshot !== undefined && snapshot.pack.length > 0) {
    const read = await indexPack(git.gitDirectory, snapshot.pack, signal);
    if (!read.ok) throw treeUnavailable(gitFailure("Reading the kept working tree", read));
  }
  const read = (treeish: string) =>
    git.hold(needs, () => readEntries({ gitDirectory: git.gitDirectory, signal }, treeish));
  const learned = { known: new Set<string>(), asListed: new Map<string, string>() };
  const committed = await read(head);
  const present = tree === undefined || tree === committed.root ? committed : await read(tree);
  learnTree(learned, committed);
  learnTree(learned, present);
  const unwritten = await writeEntries({ root, mirror, git, needs, signal }, present.entries);
  await sandbox?.adopt(root);
  return {
    ...{ lock, root, mirror, git, base, signal, head, merged, unwritten, ...learned },
    headTree: committed.root,
    tracked: committed.entries,
    memory: await rememberWritten(root, { entries: present.entries, unwritten }, git.clock),
    seen: undefined,
  };
}

function otherBase(): ForgeError {
  const message = "The kept working tree was begun at another base commit.";
  return new ForgeError("working_tree_unavailable", message, { source: "logic", recoverability: "none" });
}

/** The clock of a file system mostly moves on every 4 ms; one that counts seconds is not waited for. */
const MOST_WAITS = 20;

/**
 * What there is to know of a folder that was just written and not handed out yet: its contents are those of the entries, and any
 * change from now on will show, as the file system's clock has moved on since. Where it does not in time, files are left out.
 * @param clock path of a file of ours in the same file system, which is written
 */
export async function rememberWritten(
  root: string,
  { entries, unwritten }: Tracked,
  clock: string,
): Promise<FolderMemory> {
  const hashes: FolderMemory["hashes"] = new Map();
  const found = await scanFolder(root, new Set());
  const last = [...found.values()].reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0);
  const now = await clockAfter(last, clock);
  for (const [path, { stamp, changedAt }] of found) {
    const entry = entries.get(path);
    if (entry !== undefined && !unwritten.has(path) && changedAt < now) hashes.set(path, { stamp, sha: entry.sha });
  }
  return { hashes };
}

/** The file system's time, in milliseconds since 1970: later than `last`, unless that takes too long. */
async function clockAfter(last: number, path: string): Promise<number> {
  await writeFile(path, "");
  for (let wait = 0; ; wait += 1) {
    await utimes(path, 0, 0);
    const now = Math.floor((await lstat(path)).ctimeMs);
    if (now > last || wait === MOST_WAITS) return now;
    await sleep(1);
  }
}
