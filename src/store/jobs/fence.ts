import { type SQL, sql } from "drizzle-orm";
import { ForgeError } from "../../domain/errors.ts";
import { type Statement, statement } from "../statement.ts";

/** A worker's right to write for a job: held until another worker claims the job. */
export interface Fence {
  readonly jobId: string;
  readonly token: number;
}

/** Goes first in a batch and refuses all of it when the job is no longer held with this token. */
export function guardFence({ jobId, token }: Fence): Statement {
  return statement(
    sql`insert into guards (passed) select 0 where not exists (
          select 1 from jobs where id = ${Number(jobId)} and token = ${token} and state = 'running')`,
    () =>
      new ForgeError("lease_lost", `Job ${jobId} is held by another worker now: nothing was written.`, {
        source: "resource",
        severity: "low",
        recoverability: "auto",
        context: { jobId, token },
      }),
  );
}

/** A worker that gets further than those that died before shows that the job did not kill them: goes with what was achieved. */
export function moveOn(fence: Fence | undefined, when: SQL = sql`true`): Statement[] {
  if (!fence) return [];
  const { jobId, token } = fence;
  return [
    statement(sql`
      update jobs set moved = 1, lost_leases = 0, deaths = 0, marks = 0, most_marks = 0
      where id = ${Number(jobId)} and token = ${token} and (moved = 0 or lost_leases > 0) and ${when}`),
  ];
}

/**
 * Notes that a piece of the work is done which the next worker has to do again: a call of a model that was answered, packages
 * that were installed. Two workers that died at different marks did not die of the same.
 */
export function passMark(fence: Fence | undefined): Statement[] {
  if (!fence) return [];
  const { jobId, token } = fence;
  return [
    statement(
      sql`update jobs set marks = marks + 1 where id = ${Number(jobId)} and token = ${token} and state = 'running'`,
    ),
  ];
}
