import { sql } from "drizzle-orm";
import { type Statement, statement } from "./statement.ts";

/** Jobs that wait are gone at once; a running one is asked to stop at its next heartbeat. */
export function cancelJobsOfRuns(runIds: readonly string[]): Statement[] {
  if (runIds.length === 0) return [];
  const ids = JSON.stringify(runIds);
  return [
    statement(sql`delete from jobs where state = 'queued' and run_id in (select value from json_each(${ids}))`),
    statement(
      sql`update jobs set cancel_requested = 1 where state = 'running' and run_id in (select value from json_each(${ids}))`,
    ),
  ];
}
