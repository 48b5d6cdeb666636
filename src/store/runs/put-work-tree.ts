import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { type Fence, guardFence } from "../jobs/fence.ts";
import { workTrees } from "../schema.ts";
import { type Statement, statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** The files of an implementation in progress: all that is not part of its base, so that another machine can go on (PIPE-6). */
export interface WorkTree {
  readonly base: string;
  /** The newest commit; the base where there is none. */
  readonly head: string;
  /** Of the files as they are, committed or not. */
  readonly tree: string;
  /** Commits of others that were merged in. */
  readonly merged: readonly string[];
  /** In git's pack format. */
  readonly pack: Buffer;
}

/** Puts the working tree of a run in the place of the one before. */
export function putWorkTree(traceId: string, { base, head, tree, merged, pack }: WorkTree, at: string): Statement {
  const others = JSON.stringify(merged);
  return statement(
    sql`insert into work_trees (trace_id, at, base, head, tree, merged, pack)
        values (${traceId}, ${at}, ${base}, ${head}, ${tree}, ${others}, ${pack})
        on conflict (trace_id) do update set at = excluded.at, base = excluded.base, head = excluded.head,
          tree = excluded.tree, merged = excluded.merged, pack = excluded.pack`,
  );
}

/** The working tree of a run as it was when its last step was recorded; undefined where nothing was changed yet. */
export async function readWorkTree(store: Store, traceId: string): Promise<WorkTree | undefined> {
  const [row] = await reading(store.read.select().from(workTrees).where(eq(workTrees.traceId, traceId)));
  if (!row) return undefined;
  const { base, head, tree, merged, pack } = row;
  return { base, head, tree, merged: z.array(z.string()).parse(JSON.parse(merged)), pack: Buffer.from(pack) };
}

/**
 * The same by itself, where no step is recorded: after a commit.
 * @throws ForgeError `lease_lost` when the job of the fence is held by somebody else
 */
export async function storeWorkTree(
  store: Store,
  {
    runId,
    tree,
    at,
    fence,
  }: { readonly runId: string; readonly tree: WorkTree; readonly at: string; readonly fence: Fence },
): Promise<void> {
  await store.queue.alone([guardFence(fence), putWorkTree(runId, tree, at)]);
}
