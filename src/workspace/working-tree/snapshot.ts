import { lstat } from "node:fs/promises";
import { ForgeError } from "../../domain/errors.ts";
import { gitFailure } from "../failure.ts";
import { runGit } from "../git.ts";
import { FETCH_MEMORY_BYTES } from "../limits.ts";
import { pathFromBytes } from "../path-text.ts";
import { commitObject } from "./git-object.ts";
import { diskPath } from "./scan-folder.ts";
import { type Look, storeLook, storeObjects, type TreeState } from "./tree-state.ts";

/** A working tree as it can be kept and opened again elsewhere (PIPE-6, PIPE-7). */
export interface TreeSnapshot {
  readonly base: string;
  readonly head: string;
  /** The files as they were, committed or not. */
  readonly tree: string;
  /** Commits of others that were merged; they and the base are fetched, everything else is in the pack. */
  readonly merged: readonly string[];
  /** Git's pack format; empty when nothing was done. At most `SNAPSHOT_BYTES`. */
  readonly pack: Buffer;
}

export const SNAPSHOT_BYTES = 25 * 1024 * 1024;

/** Stands for what is not committed, and is never a parent. */
const UNCOMMITTED = { author: { name: "Forge", email: "forge@localhost" }, at: "2000-01-01T00:00:00Z" } as const;

/** What neither the base nor a merged commit reaches, of the head and of the files now. */
export async function packState(state: TreeState, look: Look): Promise<TreeSnapshot> {
  const { base, head, merged, git, signal } = state;
  const snapshot = { base, head, tree: look.tree.sha, merged: [...merged] };
  let tip = head;
  if (look.tree.sha !== state.headTree) {
    await storeLook(state, look);
    const uncommitted = { ...UNCOMMITTED, tree: look.tree.sha, parents: [head], message: "Uncommitted files" };
    const object = commitObject(uncommitted);
    await storeObjects(state, [object]);
    tip = object.sha;
  }
  if ([base, ...merged].includes(tip)) return { ...snapshot, pack: Buffer.alloc(0) };
  const { pack } = await git.hold([base, ...merged], async () => {
    const packed = await runGit({
      gitDirectory: git.gitDirectory,
      args: ["pack-objects", "--revs", "--stdout", "--quiet"],
      input: [tip, ...[base, ...merged].map((sha) => `^${sha}`), ""].join("\n"),
      // The quicker search for what is known already overlooks contents that were copied, and the mirror may not have those.
      settings: [["pack.useSparse", "false"]],
      maxOutputBytes: SNAPSHOT_BYTES,
      memoryBytes: FETCH_MEMORY_BYTES,
      signal,
    });
    if (packed.truncated) throw await tooLarge(state, look);
    return packed.ok ? { ok: true, pack: packed.stdout } : gitFailure("Packing the working tree", packed);
  });
  return { ...snapshot, pack };
}

async function tooLarge({ root, tracked }: TreeState, { entries }: Look): Promise<ForgeError> {
  const changed = [...entries].filter(([path, { sha }]) => tracked.get(path)?.sha !== sha).map(([path]) => path);
  const sizes = changed.map(async (path) => {
    const stats = await lstat(diskPath(root, path)).catch(() => undefined);
    return { path: pathFromBytes(Buffer.from(path, "latin1")), bytes: stats?.size ?? 0 };
  });
  const largest = (await Promise.all(sizes)).sort((one, other) => other.bytes - one.bytes).slice(0, 3);
  const named = largest.map(({ path, bytes }) => `${JSON.stringify(path)} (${bytes.toLocaleString("en-US")} bytes)`);
  const what = named.length === 0 ? "its commits" : named.join(", ");
  const message = `The working tree is more than the ${SNAPSHOT_BYTES / 1024 ** 2} MB that are kept. The largest part: ${what}.`;
  return new ForgeError("working_tree_too_large", message, { source: "resource", recoverability: "none" });
}
