import { type SQL, sql } from "drizzle-orm";
import { DeployOutcome } from "../../domain/deployments.ts";
import type { Conclusion, RunKind, RunStatus } from "../../domain/phases.ts";
import { Subject } from "../../domain/subjects.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { CUT_TITLE } from "./run-title.ts";

/** Of which repositories, and how many at most. Without `repositoryIds`: of all. */
export interface Wanted {
  readonly repositoryIds?: readonly number[];
  readonly limit: number;
}

/** A run as a line of a page (OPS-2). */
export interface ListedRun {
  readonly runId: string;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly subject: Subject;
  readonly headSha: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** What its check came to. */
  readonly conclusion: Conclusion | null;
  /** Of the issue or pull request as the run began, cut. */
  readonly title: string | null;
  /** Login of who had it begin. */
  readonly author: string | null;
  readonly phase: string | null;
  /** The pull request that work on an issue opened. */
  readonly pullNumber: number | null;
  readonly lastType: string | null;
  readonly lastAt: string | null;
  readonly usd: number;
}

const AT_NO_GATE = sql`not exists (
      select 1 from events asked where asked.trace_id = runs.trace_id and asked.type = 'gate.requested'
        and not exists (
          select 1 from events ended where ended.trace_id = asked.trace_id and ended.version > asked.version
            and ended.type in ('gate.approved', 'gate.rejected', 'gate.timeout', 'gate.voided')
            and json_extract(ended.payload, '$.gate') = json_extract(asked.payload, '$.gate')))`;

/** Runs that are at work or about to begin, the latest first. */
export function listAtWork(store: Store, wanted: Wanted): Promise<ListedRun[]> {
  return listRuns(store, wanted, sql`runs.status in ('pending', 'running') and ${AT_NO_GATE}`);
}

/** Runs that are parked and wait at no gate, the latest first. */
export function listParked(store: Store, wanted: Wanted): Promise<ListedRun[]> {
  return listRuns(store, wanted, sql`runs.status = 'waiting' and ${AT_NO_GATE}`);
}

/** Runs that failed, of those that began since a moment (ISO 8601), the latest first. */
export function listFailed(store: Store, wanted: Wanted & { readonly since: string }): Promise<ListedRun[]> {
  return listRuns(store, wanted, sql`runs.status = 'failed' and runs.started_at >= ${wanted.since}`);
}

/** The run of this id. */
export async function findListedRun(store: Store, runId: string): Promise<ListedRun | undefined> {
  const [found] = await listRuns(store, { limit: 1 }, sql`runs.trace_id = ${runId}`);
  return found;
}

/** Runs whose id begins like this, the latest first; at most ten. */
export async function findRunsBeginning(store: Store, prefix: string): Promise<ListedRun[]> {
  if (!/^[0-9A-Za-z]+$/.test(prefix)) return [];
  const id = prefix.toUpperCase();
  return await listRuns(store, { limit: 10 }, sql`runs.trace_id between ${id} and ${`${id}~`}`);
}

/** Runs for which a condition on their row (`runs`) holds, the latest first. */
export async function listRuns(store: Store, { repositoryIds, limit }: Wanted, which: SQL): Promise<ListedRun[]> {
  const rows = await reading(
    store.read.all<Omit<ListedRun, "subject"> & { subject: string }>(sql`
      with found as (
        select * from runs where ${which} ${visible(repositoryIds)} order by started_at desc, trace_id desc limit ${limit})
      select found.trace_id as runId, found.kind as kind, found.status as status, found.subject as subject, found.head_sha as headSha,
        found.started_at as startedAt, found.ended_at as endedAt, found.conclusion as conclusion, found.pull_number as pullNumber,
        ${CUT_TITLE} as title, json_extract(begun.actor, '$.login') as author,
        (select json_extract(payload, '$.phase') from events
          where trace_id = found.trace_id and type = 'phase.entered' order by version desc limit 1) as phase,
        last.type as lastType, last.at as lastAt,
        coalesce((select sum(micros) from spend where run_id = found.trace_id), 0) / 1e6 as usd
      from found left join events begun on begun.trace_id = found.trace_id and begun.version = 1
      left join events last on last.trace_id = found.trace_id
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
  readonly title: string | null;
}

/** What was merged and deployed, of the latest of either, the latest first. */
export async function listDelivered(store: Store, { repositoryIds, limit }: Wanted): Promise<Delivered[]> {
  const rows = await reading(
    store.read.all<Omit<Delivered, "subject" | "is"> & { subject: string; is: string }>(sql`
      select latest.*, ${CUT_TITLE} as title from (
      select * from (
        select run_id as runId, subject, at, 'merged' as "is" from run_outcomes
        where json_extract(outcome, '$.landed.sha') is not null ${visible(repositoryIds)}
        order by sequence desc limit ${limit})
      union all select * from (
        select runs.trace_id, runs.subject, completed.at, json_extract(completed.payload, '$.outcome')
        from runs join events completed on completed.trace_id = runs.trace_id and completed.type = 'deployment.completed'
        where runs.subject_key like 'environment:%' and runs.ended_at is not null ${visible(repositoryIds)}
        order by runs.started_at desc limit ${limit})
      order by at desc, runId limit ${limit}) latest
      left join events begun on begun.trace_id = latest.runId and begun.version = 1
      order by latest.at desc, latest.runId`),
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
