import { sql } from "drizzle-orm";
import type { Release } from "./complete-job.ts";
import type { Claim } from "./extend-lease.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/**
 * Gives the job back, to be claimed again from `runAt`. One that was to be cancelled meanwhile is dropped. A worker that outlived it clears it
 * of what others died of, unless it was `stoppedEarly`.
 */
export async function retryJob(
  store: Store,
  claim: Claim,
  retry: {
    readonly runAt: string;
    readonly error?: string;
    readonly countsAsAttempt: boolean;
    readonly stoppedEarly?: boolean;
  },
): Promise<Release> {
  const held = sql`id = ${Number(claim.id)} and token = ${claim.token} and state = 'running'`;
  const [dropped, returned] = await store.queue.together([
    statement(sql`delete from jobs where ${held} and cancel_requested = 1 returning id`),
    statement(sql`
      update jobs set state = 'queued', run_at = ${retry.runAt}, error = ${retry.error ?? null}, owner = null,
        lease_until = null, failures = failures + ${retry.countsAsAttempt ? 1 : 0},
        deaths = ${retry.stoppedEarly ? sql`deaths` : sql`0`}
      where ${held} returning id`),
  ]);
  return dropped!.rows.length + returned!.rows.length === 1 ? "released" : "lost";
}
