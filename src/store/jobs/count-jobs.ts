import { sql } from "drizzle-orm";
import { JOB_STATES, jobs } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

export type JobCounts = { readonly [S in (typeof JOB_STATES)[number]]: number };

export async function countJobs(store: Store): Promise<JobCounts> {
  const rows = await reading(
    store.read.select({ state: jobs.state, count: sql<number>`count(*)` }).from(jobs).groupBy(jobs.state),
  );
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  return Object.fromEntries(JOB_STATES.map((state) => [state, counts.get(state) ?? 0])) as JobCounts;
}
