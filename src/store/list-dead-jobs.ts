import { asc, eq, sql } from "drizzle-orm";
import { defined } from "../domain/defined.ts";
import { reading } from "./reading.ts";
import { JOB_STATES, jobs } from "./schema.ts";
import type { Store } from "./store.ts";

export interface DeadJob {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly payload: unknown;
  readonly runId?: string;
  readonly error: string;
}

/** The dead letters, oldest first. */
export async function listDeadJobs(store: Store): Promise<DeadJob[]> {
  const rows = await reading(store.read.select().from(jobs).where(eq(jobs.state, "dead")).orderBy(asc(jobs.id)));
  return rows.map(({ id, kind, key, payload, runId, error }) => ({
    id: String(id),
    kind,
    key,
    payload: JSON.parse(payload),
    ...defined({ runId: runId ?? undefined }),
    error: error ?? "",
  }));
}

export type JobCounts = { readonly [S in (typeof JOB_STATES)[number]]: number };

export async function countJobs(store: Store): Promise<JobCounts> {
  const rows = await reading(
    store.read.select({ state: jobs.state, count: sql<number>`count(*)` }).from(jobs).groupBy(jobs.state),
  );
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  return Object.fromEntries(JOB_STATES.map((state) => [state, counts.get(state) ?? 0])) as JobCounts;
}
