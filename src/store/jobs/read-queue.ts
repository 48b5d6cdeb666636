import { sql } from "drizzle-orm";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** Jobs of a kind. `readySince`: since when the oldest that could run has waited (ISO 8601). */
export interface QueuedKind {
  readonly kind: string;
  readonly queued: number;
  readonly running: number;
  readonly dead: number;
  readonly readySince: string | null;
}

/** A worker that has jobs in hand. */
export interface BusyWorker {
  readonly owner: string;
  readonly jobs: number;
  /** When the first of its leases ends (ISO 8601): in the past, it has stopped. */
  readonly leaseUntil: string;
}

export interface DeadJob {
  readonly kind: string;
  readonly runId: string | null;
  readonly error: string | null;
}

export interface Queue {
  readonly kinds: readonly QueuedKind[];
  readonly workers: readonly BusyWorker[];
  /** The latest ones. */
  readonly dead: readonly DeadJob[];
}

const DEAD_SHOWN = 20;
/** Characters of an error. */
const ERROR_SHOWN = 500;

/** What waits, who works, and what was given up. @param now ISO 8601 */
export async function readQueue(store: Store, now: string): Promise<Queue> {
  const [kinds, workers, dead] = await Promise.all([
    reading(
      store.read.all<QueuedKind>(sql`
        select kind, sum(state = 'queued') as queued, sum(state = 'running') as running, sum(state = 'dead') as dead,
          min(case when state = 'queued' and run_at <= ${now} then run_at end) as readySince
        from jobs where state in ('queued', 'running', 'dead') group by kind order by kind`),
    ),
    reading(
      store.read.all<BusyWorker>(sql`
        select owner, count(*) as jobs, min(lease_until) as leaseUntil
        from jobs where state = 'running' and owner is not null group by owner order by owner`),
    ),
    reading(
      store.read.all<DeadJob>(sql`
        select kind, run_id as runId, substr(error, 1, ${ERROR_SHOWN}) as error
        from jobs where state = 'dead' order by id desc limit ${DEAD_SHOWN}`),
    ),
  ]);
  return { kinds, workers, dead };
}
