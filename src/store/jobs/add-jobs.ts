import { sql } from "drizzle-orm";
import type { NewJob } from "../../domain/jobs.ts";
import { portions, type Statement, statement } from "../statement.ts";
import type { Store } from "../store.ts";

export function enqueueJobs(jobs: readonly NewJob[]): Statement[] {
  return portions(jobs).map((portion) =>
    statement(sql`
      insert into jobs (kind, key, payload, run_id, priority, run_at, state)
      values ${sql.join(
        portion.map(
          ({ kind, key, payload, runId, priority, runAt }) =>
            sql`(${kind}, ${key}, ${JSON.stringify(payload)}, ${runId ?? null}, ${priority ?? 0}, ${runAt}, 'queued')`,
        ),
        sql`, `,
      )}`),
  );
}

/** Enqueues jobs that follow from no decision: repairs. */
export async function addJobs(store: Store, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await store.queue.alone(enqueueJobs(jobs));
  for (const listener of store.jobListeners) listener(jobs.map(({ key }) => key));
}
