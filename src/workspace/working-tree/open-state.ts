import { ForgeError } from "../../domain/errors.ts";
import type { Mirror } from "../mirror.ts";
import { gitRefusal } from "../refusal.ts";
import { requireObjectId } from "../revision.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { readEntries } from "./entries.ts";
import type { PrivateGit } from "./private-git.ts";
import { rememberWritten } from "./remember-written.ts";
import type { TreeSnapshot } from "./snapshot.ts";
import { learnTree, type TreeState } from "./tree-state.ts";
import { treeUnavailable } from "./tree-unavailable.ts";
import { writeEntries } from "./write-entries.ts";
import { indexPack } from "./write-pack.ts";

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
