import { and, desc, eq, gte, inArray, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import { EVENT_CATALOGUE, ReviewEntered, ReviewStarted } from "../../domain/event-catalogue.ts";
import { ACTIVE_STATUSES, Conclusion, type RunKind, type RunStatus } from "../../domain/phases.ts";
import { Subject, subjectKey } from "../../domain/subjects.ts";
import { runs } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import type { RunProjection } from "./upsert-runs.ts";

export async function readRun(store: Store, traceId: string): Promise<RunProjection | undefined> {
  const [row] = await reading(store.read.select().from(runs).where(eq(runs.traceId, traceId)));
  return row && toRun(row);
}

/** The run that owns the subject now (PIPE-3), of a kind or of any; there is at most one of a kind. */
export async function findActiveRun(
  store: Store,
  subject: Subject,
  kind?: RunKind,
): Promise<RunProjection | undefined> {
  const [row] = await reading(
    store.read
      .select()
      .from(runs)
      .where(
        and(
          eq(runs.subjectKey, subjectKey(subject)),
          kind === undefined ? undefined : eq(runs.kind, kind),
          inArray(runs.status, [...ACTIVE_STATUSES]),
        ),
      ),
  );
  return row && toRun(row);
}

/** Newest first; `since` is the earliest start, `limit` their number at most. */
export async function listRunsOfSubject(
  store: Store,
  subject: Subject,
  options: { readonly since?: string; readonly limit?: number } = {},
): Promise<RunProjection[]> {
  const rows = await reading(
    store.read
      .select()
      .from(runs)
      .where(
        and(eq(runs.subjectKey, subjectKey(subject)), options.since ? gte(runs.startedAt, options.since) : undefined),
      )
      .orderBy(desc(runs.startedAt), desc(runs.traceId))
      // None: SQLite reads a negative number so.
      .limit(options.limit ?? -1),
  );
  return rows.map(toRun);
}

/** The newest run of a subject, whatever became of it. */
export async function findLatestRun(store: Store, subject: Subject): Promise<RunProjection | undefined> {
  const [row] = await reading(
    store.read
      .select()
      .from(runs)
      .where(eq(runs.subjectKey, subjectKey(subject)))
      .orderBy(desc(runs.startedAt), desc(runs.traceId))
      .limit(1),
  );
  return row && toRun(row);
}

/** The newest implementation whose work is on this pull request, or whose branch has this head. */
export async function findImplementation(
  store: Store,
  repositoryId: number,
  by: { readonly pull: number } | { readonly headSha: string },
): Promise<RunProjection | undefined> {
  // No other run has a number of a pull request or a branch. Others have heads.
  const its = "pull" in by ? eq(runs.pullNumber, by.pull) : and(eq(runs.headSha, by.headSha), isNotNull(runs.branch));
  const [row] = await reading(
    store.read
      .select()
      .from(runs)
      .where(and(eq(runs.repositoryId, repositoryId), its))
      .orderBy(desc(runs.startedAt), desc(runs.traceId))
      .limit(1),
  );
  return row && toRun(row);
}

/** Newest first. */
export async function listRuns(
  store: Store,
  options: { readonly status?: RunStatus; readonly limit: number },
): Promise<RunProjection[]> {
  const rows = await reading(
    store.read
      .select()
      .from(runs)
      .where(options.status ? eq(runs.status, options.status) : undefined)
      .orderBy(desc(runs.startedAt), desc(runs.traceId))
      .limit(options.limit),
  );
  return rows.map(toRun);
}

function toRun(row: typeof runs.$inferSelect): RunProjection {
  const {
    subjectKey: _key,
    repositoryId: _repository,
    installationId: _installation,
    endedAt,
    conclusion,
    branch,
    pullNumber,
    ...rest
  } = row;
  return {
    ...rest,
    subject: Subject.parse(JSON.parse(row.subject)),
    ...defined({ endedAt: endedAt ?? undefined }),
    ...(conclusion === null ? {} : { conclusion: Conclusion.parse(conclusion) }),
    ...defined({ branch: branch ?? undefined, pullNumber: pullNumber ?? undefined }),
  };
}

/** A review of the subject that was finished, by its events. */
export interface EarlierReview {
  readonly runId: string;
  readonly started: z.infer<typeof ReviewStarted>;
  readonly entered: z.infer<typeof ReviewEntered>;
  readonly completed: z.infer<(typeof EVENT_CATALOGUE)["review.completed"]>;
}

/** What is asked about earlier reviews is answered by the latest of them. */
const MOST = 30;

const Row = z.object({ run: z.string(), started: z.string(), entered: z.string(), completed: z.string() });

/** The finished reviews of a subject, newest first. */
export async function readReviews(store: Store, subject: Subject): Promise<EarlierReview[]> {
  const rows = await reading(
    store.read.all(sql`
      select runs.trace_id as run, started.payload as started, entered.payload as entered, completed.payload as completed
      from runs
      join events completed on completed.trace_id = runs.trace_id and completed.type = 'review.completed'
      join events started on started.trace_id = runs.trace_id and started.type = 'run.started'
      join events entered on entered.trace_id = runs.trace_id and entered.version = (
        select max(version) from events
        where trace_id = runs.trace_id and type = 'phase.entered' and version < completed.version)
      where runs.subject_key = ${subjectKey(subject)}
      order by runs.started_at desc, runs.trace_id desc, completed.version desc
      limit ${MOST}`),
  );
  return z
    .array(Row)
    .parse(rows)
    .map(({ run, started, entered, completed }) => ({
      runId: run,
      started: ReviewStarted.parse(JSON.parse(started)),
      entered: ReviewEntered.parse(JSON.parse(entered)),
      completed: EVENT_CATALOGUE["review.completed"].parse(JSON.parse(completed)),
    }));
}

/** The repository that has this name now, as far as runs tell: the newest one, for names are given away. */
export async function findRepository(
  store: Store,
  owner: string,
  name: string,
): Promise<{ readonly repositoryId: number; readonly installationId: number } | undefined> {
  const [found] = await reading(
    store.read
      .select({ repositoryId: runs.repositoryId, installationId: runs.installationId })
      .from(runs)
      .where(
        sql`lower(json_extract(${runs.subject}, '$.repository.owner')) = ${owner.toLowerCase()}
          and lower(json_extract(${runs.subject}, '$.repository.name')) = ${name.toLowerCase()}`,
      )
      .orderBy(desc(runs.startedAt))
      .limit(1),
  );
  return found;
}

/** How many runs of each kind there are by what became of them: how they ended, or where they stand. */
export async function countRunsByOutcome(store: Store) {
  const outcome = sql<string>`case when ${runs.status} = 'completed' then coalesce(${runs.conclusion}, 'completed') else ${runs.status} end`;
  return await reading(
    store.read
      .select({ kind: runs.kind, outcome, count: sql<number>`count(*)` })
      .from(runs)
      .groupBy(runs.kind, outcome),
  );
}
