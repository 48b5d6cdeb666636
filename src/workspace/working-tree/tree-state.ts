import { gitFailure } from "../failure.ts";
import { takeTurns } from "../files/turns.ts";
import type { FolderLock } from "../folder-lock.ts";
import type { Mirror } from "../mirror.ts";
import { WRITE_LIMITS } from "../write-head.ts";
import { type BelongingFiles, belongingFiles } from "./belonging-files.ts";
import type { BytePath, Entries, TreeContents } from "./entries.ts";
import { type FolderMemory, readFolderState } from "./folder-state.ts";
import { type GitObject, gitObject, type Tree, treeOf, unusualFolders, writePack } from "./git-object.ts";
import { type PrivateGit, treeUnavailable } from "./private-git.ts";
import { readFoundFile } from "./scan-folder.ts";

/** The state of one working tree. Changing it takes the folder's exclusive lock; readers may note `seen`. */
export interface TreeState {
  readonly lock: Pick<FolderLock, "version">;
  readonly root: string;
  readonly mirror: Mirror;
  readonly git: PrivateGit;
  readonly base: string;
  readonly signal: AbortSignal;
  head: string;
  headTree: string;
  /** Entries of `head`. */
  tracked: Entries;
  unwritten: Set<BytePath>;
  /** Commits of others that were merged, which the mirror must have as it must have the base. */
  readonly merged: string[];
  /** Blobs and trees that need not be written: the last commit opened or merged has them, or our own repository. */
  readonly known: Set<string>;
  readonly asListed: Map<string, string>;
  readonly memory: FolderMemory;
  /** The last scan; valid until the folder changes or a commit is made. */
  seen: Seen | undefined;
}

interface Seen {
  readonly version: number;
  readonly tracked: Entries;
  readonly belonging: BelongingFiles;
  look?: Look;
}

/** The folder as a commit would hold it. */
export interface Look {
  readonly entries: Entries;
  readonly tree: Tree;
}

/** @throws ForgeError as `readFolderState` */
export async function lookAt(state: TreeState): Promise<Look> {
  const seen = await see(state);
  if (seen.look === undefined) {
    const { signal, root, tracked, unwritten, memory, asListed } = state;
    const found = { root, signal, files: seen.belonging };
    const entries = await readFolderState(found, { entries: tracked, unwritten }, memory);
    seen.look = { entries, tree: treeOf(entries, asListed) };
  }
  return seen.look;
}

/**
 * The files that belong to the repository now. The caller shares the folder's lock, or holds it alone.
 * @throws ForgeError as `belongingFiles`
 */
export async function see(state: TreeState): Promise<Seen> {
  const { lock, git, root, signal, tracked } = state;
  signal.throwIfAborted();
  const { version } = lock;
  if (state.seen?.version === version && state.seen.tracked === tracked) return state.seen;
  const belonging = await belongingFiles({ gitDirectory: git.gitDirectory, root, signal }, tracked);
  state.seen = { version, tracked, belonging };
  return state.seen;
}

/** Notes what a tree of the repository holds: none of it has to be written again, and its folders go by the ids they have. */
export function learnTree(
  { known, asListed }: Pick<TreeState, "known" | "asListed">,
  { entries, folders }: TreeContents,
): void {
  for (const { sha } of entries.values()) known.add(sha);
  for (const sha of folders.values()) known.add(sha);
  for (const [made, listed] of unusualFolders(entries, folders)) asListed.set(made, listed);
}

/** Puts the contents and folders that are new into the private repository, in packs of a size that memory takes. */
export async function storeLook(state: TreeState, { entries, tree }: Look): Promise<void> {
  const { known, root } = state;
  let waiting: GitObject[] = [];
  let bytes = 0;
  const flush = async () => {
    await storeObjects(state, waiting);
    waiting = [];
    bytes = 0;
  };
  const turn = takeTurns();
  const seen = new Set<string>();
  for (const [path, { sha }] of entries) {
    if (known.has(sha) || seen.has(sha)) continue;
    seen.add(sha);
    const object = gitObject("blob", readFoundFile(root, path, WRITE_LIMITS.fileBytes));
    if (object.sha !== sha) {
      state.seen = undefined;
      throw changedMeanwhile();
    }
    waiting.push(object);
    bytes += object.content.length;
    await turn(object.content.length);
    if (bytes > WRITE_LIMITS.batchBytes) await flush();
  }
  waiting.push(...[...tree.objects.values()].filter(({ sha }) => !known.has(sha)));
  await flush();
}

/** @throws ForgeError `working_tree_unavailable` */
export async function storeObjects(state: TreeState, objects: readonly GitObject[]): Promise<void> {
  const written = await writePack(state.git.gitDirectory, objects, state.signal);
  if (written !== undefined && !written.ok) throw treeUnavailable(gitFailure("Writing objects", written));
  for (const { sha } of objects) state.known.add(sha);
}

/** Everybody who changes the folder takes its lock, so this is somebody of the machine. */
function changedMeanwhile() {
  return treeUnavailable({ ok: false, reason: "unreadable", detail: "A file changed while it was committed." });
}
