import { type SQL, sql } from "drizzle-orm";
import type { Fence } from "./fence.ts";
import { type Statement, statement } from "./statement.ts";

/** Whoever gets further than the workers that died before shows that the job is not what killed them: goes with what was achieved. */
export function moveOn(fence: Fence | undefined, when: SQL = sql`true`): Statement[] {
  if (!fence) return [];
  const { jobId, token } = fence;
  return [
    statement(sql`
      update jobs set moved = 1, lost_leases = 0, deaths = 0
      where id = ${Number(jobId)} and token = ${token} and (moved = 0 or lost_leases > 0) and ${when}`),
  ];
}
