import { type SQL, sql } from "drizzle-orm";
import { DeployOutcome } from "../../domain/deployments.ts";
import type { RunKind, RunStatus } from "../../domain/phases.ts";
import { Subject } from "../../domain/subjects.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** Of which repositories, and how many at most. Without `repositoryIds`: of all. */
export interface Wanted {
  readonly repositoryIds?: readonly number[];
  readonly limit: number;
}

/** A run as a line of the first page (OPS-2). */
export interface ListedRun {
  readonly runId: string;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly subject: Subject;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** What people called the issue; reviews keep no title. */
  readonly title: string | null;
  readonly phase: string | null;
  readonly lastType: string | null;
  readonly lastAt: string | null;
  readonly usd: number;
}

/** Runs that have not ended and wait at no gate, the latest first. */
export function listAtWork(store: Store, wanted: Wanted): Promise<ListedRun[]> {
  return listRuns(
    store,
    wanted,
    sql`runs.status in ('pending', 'running', 'waiting') and not exists (
      select 1 from events asked where asked.trace_id = runs.trace_id and asked.type = 'gate.requested'
        and not exists (
          select 1 from events ended where ended.trace_id = asked.trace_id and ended.version > asked.version
            and ended.type in ('gate.approved', 'gate.rejected', 'gate.timeout', 'gate.voided')
            and json_extract(ended.payload, '$.gate') = json_extract(asked.payload, '$.gate')))`,
  );
}

/** Runs that failed, of those that began since a moment (ISO 8601), the latest first. */
export function listFailed(store: Store, wanted: Wanted & { readonly since: string }): Promise<ListedRun[]> {
  return listRuns(store, wanted, sql`runs.status = 'failed' and runs.started_at >= ${wanted.since}`);
}

async function listRuns(store: Store, { repositoryIds, limit }: Wanted, which: SQL): Promise<ListedRun[]> {
  const rows = await reading(
    store.read.all<Omit<ListedRun, "subject"> & { subject: string }>(sql`
      with found as (
        select * from runs where ${which} ${visible(repositoryIds)} order by started_at desc, trace_id desc limit ${limit})
      select found.trace_id as runId, found.kind as kind, found.status as status, found.subject as subject,
        found.started_at as startedAt, found.ended_at as endedAt,
        (select json_extract(payload, '$.issue.title') from events
          where trace_id = found.trace_id and version = 1 and type = 'run.started') as title,
        (select json_extract(payload, '$.phase') from events
          where trace_id = found.trace_id and type = 'phase.entered' order by version desc limit 1) as phase,
        last.type as lastType, last.at as lastAt,
        coalesce((select sum(micros) from spend where run_id = found.trace_id), 0) / 1e6 as usd
      from found left join events last on last.trace_id = found.trace_id
        and last.version = (select max(version) from events where trace_id = found.trace_id)
      order by found.started_at desc, found.trace_id desc`),
  );
  return rows.map((row) => ({ ...row, subject: Subject.parse(JSON.parse(row.subject)) }));
}

/** A pull request that was merged with Forge's part in it, or a version that was brought to an environment. */
export interface Delivered {
  readonly runId: string;
  readonly subject: Subject;
  readonly at: string;
  readonly is: "merged" | DeployOutcome;
}

/** What was merged and deployed, of the latest of either, the latest first. */
export async function listDelivered(store: Store, { repositoryIds, limit }: Wanted): Promise<Delivered[]> {
  const rows = await reading(
    store.read.all<{ runId: string; subject: string; at: string; is: string }>(sql`
      select * from (
        select run_id as runId, subject, at, 'merged' as "is" from run_outcomes
        where json_extract(outcome, '$.landed.sha') is not null ${visible(repositoryIds)}
        order by sequence desc limit ${limit})
      union all select * from (
        select runs.trace_id, runs.subject, completed.at, json_extract(completed.payload, '$.outcome')
        from runs join events completed on completed.trace_id = runs.trace_id and completed.type = 'deployment.completed'
        where runs.subject_key like 'environment:%' and runs.ended_at is not null ${visible(repositoryIds)}
        order by runs.started_at desc limit ${limit})
      order by at desc, runId limit ${limit}`),
  );
  return rows.map(({ subject, is, ...row }) => ({
    ...row,
    subject: Subject.parse(JSON.parse(subject)),
    is: is === "merged" ? is : DeployOutcome.parse(is),
  }));
}

function visible(repositoryIds: readonly number[] | undefined): SQL {
  if (repositoryIds === undefined) return sql``;
  return sql`and repository_id in (select value from json_each(${JSON.stringify(repositoryIds)}))`;
}
