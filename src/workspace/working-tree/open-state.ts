import { lstat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ForgeError } from "../../domain/errors.ts";
import type { Mirror } from "../mirror.ts";
import { gitRefusal } from "../refusal.ts";
import { requireObjectId } from "../revision.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { readEntries } from "./entries.ts";
import type { FolderMemory, Tracked } from "./folder-state.ts";
import { indexPack } from "./git-object.ts";
import { type PrivateGit, treeUnavailable } from "./private-git.ts";
import { scanFolder } from "./scan-folder.ts";
import type { TreeSnapshot } from "./snapshot.ts";
import { learnTree, type TreeState } from "./tree-state.ts";
import { writeEntries } from "./write-entries.ts";

export interface StateSpec {
  readonly lock: TreeState["lock"];
  readonly root: string;
  readonly mirror: Mirror;
  readonly git: PrivateGit;
  readonly base: string;
  readonly snapshot: TreeSnapshot | undefined;
  /** Whoever else gets to the files. */
  readonly sandbox: Pick<Sandbox, "adopt"> | undefined;
  readonly signal: AbortSignal;
}

/** Brings commits and contents together and writes the files into the empty folder. */
export async function openState({ sandbox, snapshot, ...spec }: StateSpec): Promise<TreeState> {
  const { lock, root, mirror, git, base, signal } = spec;
  if (snapshot !== undefined && snapshot.base !== base) throw otherBase();
  const head = requireObjectId(snapshot?.head ?? base);
  const tree = snapshot && requireObjectId(snapshot.tree);
  const merged = (snapshot?.merged ?? []).map(requireObjectId);
  const needs = [base, ...merged];
  if (snapshot !== undefined && snapshot.pack.length > 0) {
    const read = await indexPack(git.gitDirectory, snapshot.pack, signal);
    if (!read.ok) throw treeUnavailable(gitRefusal("Reading the kept working tree", read));
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

/** The clock of a file system mostly moves on every 4 ms; for one that counts seconds nobody waits. */
const MOST_WAITS = 20;

/**
 * What there is to know of a folder that was just written and that nobody else has had yet: its contents are those of the entries, and any
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

/** What the file system takes for the time, in milliseconds since 1970: later than `last`, unless that takes too long. */
async function clockAfter(last: number, path: string): Promise<number> {
  await writeFile(path, "");
  for (let wait = 0; ; wait += 1) {
    await utimes(path, 0, 0);
    const now = Math.floor((await lstat(path)).ctimeMs);
    if (now > last || wait === MOST_WAITS) return now;
    await sleep(1);
  }
}
