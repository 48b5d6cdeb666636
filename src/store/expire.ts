import { type SQL, sql } from "drizzle-orm";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

const LOGS_PER_COMMIT = 50;

/**
 * Deletes the checkpoints of runs that ended before a moment, of questions about which nothing was done since, and the commits of suggested
 * fixes that were made before (DATA-2). Returns of how many. Their events stay.
 */
export async function expireCheckpoints(store: Store, endedBefore: string): Promise<number> {
  const runs = sql`
    select trace_id from runs where ended_at < ${endedBefore}
      and exists (select 1 from checkpoints where checkpoints.trace_id = runs.trace_id)
    order by trace_id limit ${LOGS_PER_COMMIT}`;
  // A question belongs to no run. The bounds are those of everything that begins with "ask:".
  const questions = sql`
    select trace_id from checkpoints where trace_id >= 'ask:' and trace_id < 'ask;'
    group by trace_id having max(at) < ${endedBefore}
    order by trace_id limit ${LOGS_PER_COMMIT}`;
  // Nor does a fix.
  const fixes = sql`
    select trace_id from work_trees where trace_id >= 'fix:' and trace_id < 'fix;' and at < ${endedBefore}
    order by trace_id limit ${LOGS_PER_COMMIT}`;
  return (await expire(store, runs)) + (await expire(store, questions)) + (await expire(store, fixes));
}

async function expire(store: Store, expired: SQL): Promise<number> {
  for (let total = 0; ; ) {
    const [counted] = await store.queue.together([
      statement(sql`select count(*) from (${expired})`),
      statement(sql`delete from work_trees where trace_id in (${expired})`),
      statement(sql`delete from checkpoints where trace_id in (${expired})`),
    ]);
    const logs = Number(counted!.rows[0]?.[0] ?? 0);
    total += logs;
    if (logs < LOGS_PER_COMMIT) return total;
  }
}

/**
 * Deletes the counts of errors and alerts without an issue of their own whose last message came before a moment, and the days before it
 * (PROD-3). A count with an issue stays, so that the issue is found again.
 */
export async function expireFeedback(store: Store, olderThan: string): Promise<void> {
  await store.queue.together([
    statement(sql`delete from feedback_counts where issue_at is null and last_at < ${olderThan}`),
    statement(sql`delete from feedback_days where day < ${olderThan.slice(0, 10)}`),
  ]);
}

/** Bodies are large: a commit takes this many, so that intake is not held up. */
const DELIVERIES_PER_COMMIT = 200;

/** Deletes deliveries received before a moment (DATA-2) and returns how many. One that was not handled yet stays. */
export async function expireDeliveries(store: Store, olderThan: string): Promise<number> {
  const expired = sql`
    select guid from deliveries where received_at < ${olderThan} and state <> 'received'
    order by received_at, guid limit ${DELIVERIES_PER_COMMIT}`;
  await store.queue.together([statement(sql`delete from feedback_messages where at < ${olderThan}`)]);
  for (let total = 0; ; ) {
    const [, gone] = await store.queue.together([
      statement(sql`delete from delivery_parts where guid in (${expired})`),
      statement(sql`delete from deliveries where guid in (${expired})`),
    ]);
    total += gone!.rowsAffected;
    if (gone!.rowsAffected < DELIVERIES_PER_COMMIT) return total;
  }
}
