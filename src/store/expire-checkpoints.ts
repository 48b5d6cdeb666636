import { sql } from "drizzle-orm";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

const RUNS_PER_COMMIT = 50;

/** Deletes the checkpoints of runs that ended before a moment (DATA-2) and returns of how many runs. Their events stay. */
export async function expireCheckpoints(store: Store, endedBefore: string): Promise<number> {
  const expired = sql`
    select trace_id from runs where ended_at < ${endedBefore}
      and exists (select 1 from checkpoints where checkpoints.trace_id = runs.trace_id)
    order by trace_id limit ${RUNS_PER_COMMIT}`;
  for (let total = 0; ; ) {
    const [counted] = await store.queue.together([
      statement(sql`select count(*) from (${expired})`),
      statement(sql`delete from checkpoints where trace_id in (${expired})`),
    ]);
    const runs = Number(counted!.rows[0]?.[0] ?? 0);
    total += runs;
    if (runs < RUNS_PER_COMMIT) return total;
  }
}
