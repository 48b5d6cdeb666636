import { and, asc, eq, gt, gte, sql } from "drizzle-orm";
import { encodeTime } from "ulid";
import { defined } from "../../domain/defined.ts";
import type { EventType } from "../../domain/event-catalogue.ts";
import { findBrokenLink, type PlacedEvent, parseEvent, type RunEvent } from "../../domain/events.ts";
import type { RunKind } from "../../domain/phases.ts";
import { Actor, type Subject, subjectKey } from "../../domain/subjects.ts";
import { events, runs } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** Logs kept in memory: every decision reads its run's and its subject's, and few runs are at work at a time. */
const KEPT = 24;
/** A longer log is read anew each time. */
const MOST_EVENTS = 1_000;

const keptLogs = new WeakMap<Store, Map<string, readonly RunEvent[]>>();

/**
 * All events of a run in order; replaying them rebuilds it (EVT-3). Of a log that was read before only what came later is read: an event
 * holds the hash of the one before it, so one whose hash is known stands for all that lead to it.
 * @throws ForgeError `event_invalid` when one does not fit the catalogue.
 */
export async function readEvents(store: Store, traceId: string): Promise<readonly RunEvent[]> {
  const kept = keptLogs.get(store) ?? new Map<string, readonly RunEvent[]>();
  keptLogs.set(store, kept);
  const known = kept.get(traceId) ?? [];
  const last = known.at(-1);
  const [first, ...later] = last === undefined ? [] : await readStored(store, traceId, last.version);
  const isContinued = last !== undefined && first?.hash === last.hash;
  const log = isContinued ? known.concat(later.map(parseEvent)) : (await readStored(store, traceId)).map(parseEvent);
  keep(kept, traceId, log);
  return log;
}

/** The events of a run from a version on, in order. @throws ForgeError `event_invalid` as `readEvents` */
export async function readEventsFrom(store: Store, traceId: string, version: number): Promise<readonly RunEvent[]> {
  return (await readStored(store, traceId, version)).map(parseEvent);
}

/** The one that was read longest ago gives way. */
function keep(kept: Map<string, readonly RunEvent[]>, traceId: string, log: readonly RunEvent[]): void {
  kept.delete(traceId);
  if (log.length > 0 && log.length <= MOST_EVENTS) kept.set(traceId, log);
  for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
}

/** Whether the log of a run is as it was written; `brokenAt` is the version of the first event that is not. */
export async function verifyRun(store: Store, traceId: string): Promise<{ brokenAt?: number }> {
  const brokenAt = findBrokenLink(await readStored(store, traceId));
  return defined({ brokenAt });
}

async function readStored(store: Store, traceId: string, from = 0) {
  const ofRun = and(eq(events.traceId, traceId), gte(events.version, from));
  const rows = await reading(store.read.select().from(events).where(ofRun).orderBy(asc(events.version)));
  return rows.map(toStoredEvent);
}

/** A row as the event that it was: an absent member and a null one have different hashes. */
export function toStoredEvent({ payload, phase, actor, durationMs, cost, ...rest }: typeof events.$inferSelect) {
  return {
    ...rest,
    payload: JSON.parse(payload),
    ...defined({ phase: phase ?? undefined }),
    ...(actor === null ? {} : { actor: JSON.parse(actor) }),
    ...defined({ durationMs: durationMs ?? undefined }),
    ...(cost === null ? {} : { cost: JSON.parse(cost) }),
  };
}

/** Everything about gates in the runs of a subject, oldest first. */
export async function readGateEvents(store: Store, subject: Subject): Promise<RunEvent[]> {
  const rows = await reading(
    store.read
      .select()
      .from(events)
      .where(
        sql`${events.traceId} in (select trace_id from runs where subject_key = ${subjectKey(subject)})
          and ${events.type} like 'gate.%'`,
      )
      .orderBy(events.at, events.traceId, events.version),
  );
  return rows.map((row) => parseEvent(toStoredEvent(row)));
}

/** What of some types happened in the newest runs of a subject, each run in its own order; the oldest run first. */
export async function readEventsOfLatestRuns(
  store: Store,
  subject: Subject,
  { runs: most, types }: { readonly runs: number; readonly types: readonly EventType[] },
): Promise<RunEvent[]> {
  const latest = sql`(select trace_id, started_at from runs where subject_key = ${subjectKey(subject)}
    order by started_at desc, trace_id desc limit ${most})`;
  const rows = await reading(
    store.read
      .select({ event: events })
      .from(events)
      .innerJoin(sql`${latest} as latest`, sql`latest.trace_id = ${events.traceId}`)
      .where(sql`${events.type} in (select value from json_each(${JSON.stringify(types)}))`)
      .orderBy(sql`latest.started_at, ${events.traceId}, ${events.version}`),
  );
  return rows.map(({ event }) => parseEvent(toStoredEvent(event)));
}

/** How many gates wait for a person, over all repositories, and since when the oldest does (ISO 8601). */
export async function measureOpenGates(store: Store): Promise<{ readonly count: number; readonly since?: string }> {
  const [row] = await reading(
    store.read
      .select({ count: sql<number>`count(*)`, since: sql<string | null>`min(${events.at})` })
      .from(events)
      .innerJoin(runs, eq(runs.traceId, events.traceId))
      .where(
        sql`${runs.status} in ('pending', 'running', 'waiting') and ${events.type} = 'gate.requested' and not exists (
          select 1 from ${events} as answer where answer.trace_id = ${events.traceId}
            and answer.type in ('gate.approved', 'gate.rejected', 'gate.timeout', 'gate.voided')
            and json_extract(answer.payload, '$.gate') = json_extract(${events.payload}, '$.gate'))`,
      ),
  );
  return { count: row?.count ?? 0, ...defined({ since: row?.since ?? undefined }) };
}

/** Milliseconds by which clocks of machines, and those that were set back, may differ. */
export const CLOCK_MS = 24 * 3_600_000;
/** Events of the log that one page goes through: at 30 µs for each that is read, others have their turn soon. */
const PAGE = 1_000;

/**
 * Events of some types since a moment (ISO 8601), page by page in the order of their ids, each with the kind of its run: of all repositories, or
 * of one. They were checked when they were written, and are not checked again.
 */
export async function* readEventsSince(
  store: Store,
  { since, types, repositoryId }: { since: string; types: readonly EventType[]; repositoryId?: number | undefined },
): AsyncGenerator<{ readonly event: PlacedEvent; readonly kind?: RunKind }[]> {
  // A text compares with ids as their times do: the first ten characters of an id are its milliseconds.
  let after = encodeTime(Date.parse(since) - CLOCK_MS);
  const ofTypes = sql`${events.type} in (select value from json_each(${JSON.stringify(types)}))`;
  const here =
    repositoryId === undefined
      ? sql`true`
      : sql`(${runs.repositoryId} = ${repositoryId}
          or ${events.traceId} like ${`pull\\_request:${repositoryId}:%`} escape '\\'
          or ${events.traceId} like ${`issue:${repositoryId}:%`})`;
  for (;;) {
    const [last] = await reading(
      store.read
        .select({ id: events.id })
        .from(events)
        .where(gt(events.id, after))
        .orderBy(asc(events.id))
        .limit(1)
        .offset(PAGE),
    );
    const until = last ? sql`${events.id} <= ${last.id}` : sql`true`;
    const rows = await reading(
      store.read
        .select({ event: events, kind: runs.kind })
        .from(events)
        .leftJoin(runs, eq(runs.traceId, events.traceId))
        .where(sql`${events.id} > ${after} and ${until} and ${events.at} >= ${since} and ${ofTypes} and ${here}`)
        .orderBy(asc(events.id)),
    );
    yield rows.map(({ event, kind }) => {
      return { event: toStoredEvent(event) as unknown as PlacedEvent, ...defined({ kind: kind ?? undefined }) };
    });
    if (!last) return;
    after = last.id;
  }
}

/** An event about a finding of a subject, with the head of its run; none for what was said in the subject's own log. */
export interface FindingFact {
  readonly event: Extract<RunEvent, { readonly type: `finding.${string}` }>;
  readonly headSha?: string;
}

/** Everything about the findings of a subject, oldest first. */
export async function readFindingFacts(store: Store, subject: Subject): Promise<FindingFact[]> {
  const of = subjectKey(subject);
  const rows = await reading(
    store.read
      .select({ event: events, headSha: runs.headSha })
      .from(events)
      .leftJoin(runs, eq(runs.traceId, events.traceId))
      .where(
        sql`(${events.traceId} = ${of} or ${events.traceId} in (select trace_id from runs where subject_key = ${of}))
          and ${events.type} like 'finding.%'`,
      )
      .orderBy(asc(events.at), asc(events.id)),
  );
  return rows.map(({ event, headSha }) => ({
    event: parseEvent(toStoredEvent(event)) as FindingFact["event"],
    ...defined({ headSha: headSha ?? undefined }),
  }));
}

/** One event about a finding, as far as its history needs it; `finding.outdated` is one that was resolved by leaving the change. */
export interface FindingEvent {
  readonly type: string;
  readonly at: string;
  readonly headSha?: string;
  readonly actor?: Actor;
}

/** What happened to a finding in the runs of its subject and by commands, oldest first; where it was posted is left out. */
export async function readFindingEvents(store: Store, subject: Subject, findingId: string): Promise<FindingEvent[]> {
  const of = subjectKey(subject);
  const rows = await reading(
    store.read
      .select({
        type: sql<string>`iif(json_extract(${events.payload}, '$.outdated'), 'finding.outdated', ${events.type})`,
        at: events.at,
        actor: events.actor,
        headSha: sql<string | null>`coalesce(json_extract(${events.payload}, '$.headSha'),
          (select head_sha from runs where runs.trace_id = ${events.traceId}))`,
      })
      .from(events)
      .where(
        sql`(${events.traceId} = ${of} or ${events.traceId} in (select trace_id from runs where subject_key = ${of}))
          and ${events.type} in
            ('finding.detected', 'finding.resolved', 'finding.regressed', 'finding.dismissed', 'finding.undismissed')
          and coalesce(json_extract(${events.payload}, '$.findingId'), json_extract(${events.payload}, '$.finding.id'))
            = ${findingId}`,
      )
      .orderBy(asc(events.at), asc(events.id)),
  );
  return rows.map(({ headSha, actor, ...row }) => ({
    ...row,
    ...defined({ headSha: headSha ?? undefined }),
    ...(actor === null ? {} : { actor: Actor.parse(JSON.parse(actor)) }),
  }));
}
