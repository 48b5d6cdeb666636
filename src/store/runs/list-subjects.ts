import { and, asc, desc, eq, gt, inArray, isNotNull, max, sql } from "drizzle-orm";
import { ACTIVE_STATUSES, type RunKind } from "../../domain/phases.ts";
import { type RepositoryRef, Subject } from "../../domain/subjects.ts";
import { runs } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** Subjects with an active run in an installation, or in one repository of it. */
export async function listActiveSubjects(
  store: Store,
  of: { readonly installationId: number; readonly repositoryId?: number },
): Promise<Subject[]> {
  const rows = await reading(
    store.read
      .select({ subject: runs.subject })
      .from(runs)
      .where(
        and(
          eq(runs.installationId, of.installationId),
          of.repositoryId === undefined ? undefined : eq(runs.repositoryId, of.repositoryId),
          inArray(runs.status, [...ACTIVE_STATUSES]),
        ),
      ),
  );
  return rows.map(({ subject }) => Subject.parse(JSON.parse(subject)));
}

/** The runs of a kind on a head, newest first, at most one a subject: two pull requests can have the same head (GH-8d). */
export async function listRunsByHead(
  store: Store,
  repositoryId: number,
  headSha: string,
  kind: RunKind,
): Promise<{ runId: string; subject: Subject }[]> {
  const rows = await reading(
    store.read
      .select({ runId: runs.traceId, subjectKey: runs.subjectKey, subject: runs.subject, startedAt: runs.startedAt })
      .from(runs)
      .where(and(eq(runs.repositoryId, repositoryId), eq(runs.headSha, headSha), eq(runs.kind, kind)))
      .orderBy(runs.startedAt, runs.traceId),
  );
  const latest = new Map(rows.map((row) => [row.subjectKey, row]));
  return [...latest.values()].reverse().map(({ runId, subject }) => {
    return { runId, subject: Subject.parse(JSON.parse(subject)) };
  });
}

/** The pull requests of a repository that runs on issues wait for, by number, with the issue. */
export async function listWaitingPulls(store: Store, repositoryId: number): Promise<ReadonlyMap<number, Subject>> {
  // Only a run that opened a pull request has a number of one.
  const opened = and(eq(runs.repositoryId, repositoryId), isNotNull(runs.pullNumber));
  const waiting = and(opened, inArray(runs.status, [...ACTIVE_STATUSES]));
  const rows = await reading(
    store.read.select({ number: runs.pullNumber, subject: runs.subject }).from(runs).where(waiting),
  );
  return new Map(
    rows.flatMap(({ number, subject }) => (number === null ? [] : [[number, Subject.parse(JSON.parse(subject))]])),
  );
}

/**
 * Runs that ended since a moment and were not looked back at, and those under way of which something happened since another; `ended` tells
 * which. Not those that had nothing to do, nor those that were cancelled, unless a person had requested something of that kind, nor one for which a job of it is there already, dead or
 * alive.
 */
export async function listRunsToLookBackAt(
  store: Store,
  {
    endedSince,
    activeSince,
    requests,
    limit,
  }: {
    readonly endedSince: string;
    readonly activeSince: string;
    readonly requests: readonly RunKind[];
    readonly limit: number;
  },
): Promise<{ readonly runId: string; readonly subject: Subject; readonly ended: boolean }[]> {
  const ended = sql`${runs.endedAt} >= ${endedSince} and coalesce(${runs.conclusion}, '') <> 'skipped'
    and (${runs.status} in ('completed', 'failed') or (${inArray(runs.kind, [...requests])} and ${runs.status} = 'cancelled'))
    and not exists (select 1 from events where events.trace_id = ${runs.subjectKey} and events.type = 'run.reflected'
      and json_extract(events.payload, '$.runId') = ${runs.traceId})`;
  const active = sql`${inArray(runs.status, ["running", "waiting"])} and ${activeSince} <=
    (select at from events where events.trace_id = ${runs.traceId} order by events.version desc limit 1)`;
  const rows = await reading(
    store.read
      .select({ runId: runs.traceId, subject: runs.subject, endedAt: runs.endedAt })
      .from(runs)
      .where(
        sql`((${active}) or (${ended})) and not exists (
          select 1 from jobs where jobs.kind = 'learn' and json_extract(jobs.payload, '$.run') = ${runs.traceId})`,
      )
      .orderBy(sql`${runs.endedAt} is null`, asc(runs.endedAt), asc(runs.traceId))
      .limit(limit),
  );
  return rows.map(({ runId, subject, endedAt }) => {
    return { runId, subject: Subject.parse(JSON.parse(subject)), ended: endedAt !== null };
  });
}

/** A repository with the base of the newest run in it that judges a change. */
export interface Reviewed {
  readonly repository: RepositoryRef;
  readonly baseSha: string;
}

/** The repositories in which a run of these kinds began since then, the last one first. */
export async function listReviewed(
  store: Store,
  { kinds, since, most }: { readonly kinds: readonly RunKind[]; readonly since: string; readonly most: number },
): Promise<Reviewed[]> {
  const rows = await reading(
    store.read
      .select({ subject: runs.subject, baseSha: runs.baseSha, startedAt: max(runs.startedAt) })
      .from(runs)
      .where(and(inArray(runs.kind, [...kinds]), gt(runs.startedAt, since)))
      .groupBy(runs.repositoryId)
      .orderBy(desc(max(runs.startedAt)))
      .limit(most),
  );
  return rows.map(({ subject, baseSha }) => ({ repository: Subject.parse(JSON.parse(subject)).repository, baseSha }));
}
