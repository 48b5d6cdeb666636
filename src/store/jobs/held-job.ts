import { sql } from "drizzle-orm";
import { statement } from "../statement.ts";
import type { Store } from "../store.ts";
import type { ClaimedJob } from "./claim-job.ts";

/** By which the worker that claimed a job is known: the token is another one at each claim. */
export type Claim = Pick<ClaimedJob, "id" | "token">;

/** A worker's sign of life; tells it whether to go on. */
export async function extendLease(
  store: Store,
  claim: Claim,
  now: string,
  leaseMs: number,
): Promise<"held" | "lost" | "cancel_requested"> {
  const leaseUntil = new Date(Date.parse(now) + leaseMs).toISOString();
  const [extended] = await store.queue.together([
    statement(sql`
      update jobs set lease_until = ${leaseUntil}
      where id = ${Number(claim.id)} and token = ${claim.token} and state = 'running'
      returning cancel_requested`),
  ]);
  const row = extended!.rows[0];
  if (!row) return "lost";
  return Number(row.cancel_requested) === 1 ? "cancel_requested" : "held";
}

/** Whether the job was still the caller's; when not, nothing was changed. */
export type Release = "released" | "lost";

/** The job is done, and gone. */
export async function completeJob(store: Store, claim: Claim): Promise<Release> {
  const [gone] = await store.queue.together([
    statement(sql`
      delete from jobs where id = ${Number(claim.id)} and token = ${claim.token} and state = 'running' returning id`),
  ]);
  return gone!.rows.length === 1 ? "released" : "lost";
}

/** Lays the job among the dead letters: it is kept with its error and never claimed again. */
export async function buryJob(store: Store, claim: Claim, error: string): Promise<Release> {
  const [buried] = await store.queue.together([
    statement(sql`
      update jobs set state = 'dead', error = ${error}, owner = null, lease_until = null, failures = failures + 1
      where id = ${Number(claim.id)} and token = ${claim.token} and state = 'running' returning id`),
  ]);
  return buried!.rows.length === 1 ? "released" : "lost";
}

/**
 * Gives the job back, to be claimed again from `runAt`. One that was to be cancelled meanwhile is dropped. A worker that outlived it clears it
 * of what others died of, unless it was `stoppedEarly` or put it off before it came as far as they did.
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
        deaths = ${retry.stoppedEarly ? sql`deaths` : sql`case when marks < most_marks then deaths else 0 end`},
        most_marks = ${retry.stoppedEarly ? sql`most_marks` : sql`case when marks < most_marks then most_marks else 0 end`}
      where ${held} returning id`),
  ]);
  return dropped!.rows.length + returned!.rows.length === 1 ? "released" : "lost";
}

/** A worker that lost its job and lives was slow: this is no death. */
export async function forgiveDeath(store: Store, { id, token }: Claim): Promise<void> {
  await store.queue.together([
    statement(sql`
      update jobs set deaths = deaths - 1
      where id = ${Number(id)} and deaths > 0 and not (token = ${token} and state = 'running')`),
  ]);
}
