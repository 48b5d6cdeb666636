import { sql } from "drizzle-orm";
import type { JobKind } from "../../domain/jobs.ts";
import { statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

export interface ClaimedJob {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  /** As it was stored; the handler of the kind parses it. */
  readonly payload: unknown;
  readonly runId?: string;
  /** Which try this is, counted from 1. */
  readonly attempt: number;
  /** Tries that ended in an error, and tries whose worker died. */
  readonly failures: number;
  readonly lostLeases: number;
  /** Workers that died one after the other while they had it, and it came no further than with the one before. */
  readonly deaths: number;
  readonly token: number;
}

export interface ClaimOptions {
  readonly workerId: string;
  readonly now: string;
  readonly leaseMs: number;
  /** Only jobs of these kinds; all without it. */
  readonly kinds?: readonly JobKind[];
  /** Only jobs with these keys; all without it. */
  readonly keys?: readonly string[];
}

/**
 * Takes the job whose turn it is (by priority, moment and age) and whose key is not at work. A job whose lease ran out is claimable again
 * and gets the next token, so that the worker that had it is fenced out. Of the jobs with which a worker died, one is at work at a time: when
 * a worker dies again, it was that one.
 */
export async function claimJob(store: Store, options: ClaimOptions): Promise<ClaimedJob | undefined> {
  const { workerId, now, leaseMs, kinds, keys } = options;
  const leaseUntil = new Date(Date.parse(now) + leaseMs).toISOString();
  const ofKinds = kinds ? sql`and kind in (select value from json_each(${JSON.stringify(kinds)}))` : sql``;
  const ofKeys = keys ? sql`and key in (select value from json_each(${JSON.stringify(keys)}))` : sql``;
  const [, , claimed] = await store.queue.together([
    statement(sql`delete from jobs where state = 'running' and cancel_requested = 1 and lease_until <= ${now}`),
    // Back into the queue first, so that the turn is read off one index: with 10,000 waiting that is 2,000 claims a second against 120.
    statement(sql`
      update jobs set state = 'queued', lost_leases = lost_leases + 1, most_marks = max(marks, most_marks),
        deaths = case when moved then 0 when marks > most_marks then 1 else deaths + 1 end
      where state = 'running' and lease_until <= ${now}`),
    statement(sql`
      update jobs set state = 'running', owner = ${workerId}, token = token + 1, moved = 0, marks = 0, lease_until = ${leaseUntil}
      where id = (
        select id from jobs as candidate
        where state = 'queued' and run_at <= ${now} ${ofKinds} ${ofKeys}
          and not exists (select 1 from jobs as holder where holder.key = candidate.key and holder.state = 'running')
          and (deaths = 0 or not exists (select 1 from jobs as suspect where suspect.state = 'running' and suspect.deaths > 0))
        order by priority, run_at, id limit 1)
      returning id, kind, key, payload, run_id, failures, lost_leases, deaths, token`),
  ]);
  const row = claimed!.rows[0];
  if (!row) return undefined;
  const failures = Number(row.failures);
  const lostLeases = Number(row.lost_leases);
  return {
    id: String(row.id),
    kind: String(row.kind),
    key: String(row.key),
    payload: JSON.parse(String(row.payload)),
    ...(row.run_id === null ? {} : { runId: String(row.run_id) }),
    attempt: failures + lostLeases + 1,
    failures,
    lostLeases,
    deaths: Number(row.deaths),
    token: Number(row.token),
  };
}

/**
 * When there may be something to claim: the earliest of the waiting jobs whose key is free, and of the leases that may run out. In the
 * past when a job can be claimed now; undefined when nothing waits.
 */
export async function nextRunAt(
  store: Store,
  kinds?: readonly JobKind[],
  keys?: readonly string[],
): Promise<string | undefined> {
  const ofKinds = kinds ? sql`and kind in (select value from json_each(${JSON.stringify(kinds)}))` : sql``;
  const ofKeys = keys ? sql`and key in (select value from json_each(${JSON.stringify(keys)}))` : sql``;
  const row = await reading(
    store.read.get<{ next: string | null }>(sql`
    select min(case state when 'queued' then run_at else lease_until end) as next from jobs as candidate
    where state = 'running' or state = 'queued' ${ofKinds} ${ofKeys}
      and not exists (select 1 from jobs as holder where holder.key = candidate.key and holder.state = 'running')`),
  );
  return row?.next ?? undefined;
}
