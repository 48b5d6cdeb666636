import { notInArray, type SQL, sql } from "drizzle-orm";
import { CARRIED_BY_RUN } from "../../domain/effects.ts";
import type { RunKind } from "../../domain/phases.ts";
import { ENVIRONMENT_NAMES, Subject } from "../../domain/subjects.ts";
import { effects, JOB_STATES, jobs, runs } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

export interface Stranded {
  readonly runs: readonly { readonly runId: string; readonly kind: RunKind; readonly subject: Subject }[];
  /** Subjects with effects that are decided and not settled. */
  readonly subjects: readonly Subject[];
}

const ALIVE = sql`${jobs.state} in ('queued', 'running')`;

/** What tells subjects of a kind in a repository apart. Earlier versions stored environments by number, from 1. */
function numberIn(json: SQL, path: "$" | "$.subject"): SQL {
  const environment = sql`json_extract(${json}, ${`${path}.environment`})`;
  const named = ENVIRONMENT_NAMES.map((name, index) => sql`when ${name} then ${index + 1}`);
  return sql`coalesce(json_extract(${json}, ${`${path}.number`}), case ${environment} ${sql.join(named, sql` `)} end)`;
}

/** Active runs and unsettled effects that no living job will take up. */
export async function listStranded(store: Store): Promise<Stranded> {
  const idle = await listIdleRuns(store);
  const unsettled = await reading(
    store.read
      .select({ subject: sql<string>`max(${effects.subject})` })
      .from(effects)
      .where(
        sql`${effects.state} in ('planned', 'sending') and ${notInArray(effects.kind, [...CARRIED_BY_RUN])} and not exists (
          select 1 from ${jobs} where ${jobs.kind} = 'effects' and ${ALIVE}
            and json_extract(${jobs.payload}, '$.subject.kind') = json_extract(${effects.subject}, '$.kind')
            and ${numberIn(sql`${jobs.payload}`, "$.subject")} = ${numberIn(sql`${effects.subject}`, "$")}
            and json_extract(${jobs.payload}, '$.subject.repository.id') = json_extract(${effects.subject}, '$.repository.id'))`,
      )
      .groupBy(effects.subjectKey),
  );
  return {
    runs: idle,
    subjects: unsettled.map(({ subject }) => Subject.parse(JSON.parse(subject))),
  };
}

/** Active runs that no job is for; of one kind, or of all. */
export async function listIdleRuns(store: Store, kind?: RunKind): Promise<Stranded["runs"]> {
  const idle = await reading(
    store.read
      .select({ runId: runs.traceId, kind: runs.kind, subject: runs.subject })
      .from(runs)
      .where(
        sql`${runs.status} in ('pending', 'running') and (${kind ?? null} is null or ${runs.kind} = ${kind ?? null})
          and not exists (
          select 1 from ${jobs} where ${jobs.runId} = ${runs.traceId} and ${ALIVE})`,
      ),
  );
  return idle.map((run) => ({ ...run, subject: Subject.parse(JSON.parse(run.subject)) }));
}

export type JobCounts = { readonly [S in (typeof JOB_STATES)[number]]: number };

export async function countJobs(store: Store): Promise<JobCounts> {
  const rows = await reading(
    store.read.select({ state: jobs.state, count: sql<number>`count(*)` }).from(jobs).groupBy(jobs.state),
  );
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  return Object.fromEntries(JOB_STATES.map((state) => [state, counts.get(state) ?? 0])) as JobCounts;
}

/** Jobs by kind and state, and since when the one whose turn it is has been ready. @param now ISO 8601 */
export async function countJobsByKind(store: Store, now: string) {
  const counts = await reading(
    store.read
      .select({ kind: jobs.kind, state: jobs.state, count: sql<number>`count(*)` })
      .from(jobs)
      .groupBy(jobs.kind, jobs.state),
  );
  const [oldest] = await reading(
    store.read
      .select({ at: sql<string | null>`min(${jobs.runAt})` })
      .from(jobs)
      .where(sql`${jobs.state} = 'queued' and ${jobs.runAt} <= ${now}`),
  );
  return { counts, readySince: oldest?.at ?? undefined };
}

/** Whether a job on this repository is at work or could be. */
export async function awaitsWork(store: Store, repositoryId: number, now: string): Promise<boolean> {
  const row = await reading(
    store.read.get<{ found: number }>(sql`
      select exists (select 1 from ${jobs} where (${jobs.state} = 'running' or (${jobs.state} = 'queued' and ${jobs.runAt} <= ${now}))
        and json_extract(${jobs.payload}, '$.subject.repository.id') = ${repositoryId}) as found`),
  );
  return row?.found === 1;
}
