import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { FeedbackStanding } from "../domain/production-feedback.ts";
import { Subject, subjectKey } from "../domain/subjects.ts";
import { feedbackCounts, feedbackDays, feedbackMessages, runs } from "./schema.ts";
import { type Statement, statement } from "./statement.ts";
import { reading } from "./storage-error.ts";
import type { Store } from "./store.ts";

/** One message of production, as far as counting goes. */
export interface CountedMessage {
  readonly id: string;
  readonly fingerprint: string;
  readonly resolved: boolean;
}

/** What production told of one thing in one environment. */
export interface FeedbackCount {
  readonly fingerprint: string;
  readonly count: number;
  /** ISO 8601: when Forge heard of it. */
  readonly firstAt: string;
  readonly lastAt: string;
  readonly resolved: boolean;
  /** The count that the pipeline was told last; 0 before. */
  readonly told: number;
  readonly toldResolved: boolean;
  /** ISO 8601: when it got an issue of its own; null for one that has none. */
  readonly issueAt: string | null;
  /** What that issue says; null without an issue, or when a later version of Forge wrote it. */
  readonly shown: FeedbackStanding | null;
}

/** A day of an environment in numbers; the members are those of the table. */
export interface FeedbackDay {
  readonly heard: number;
  readonly others: number;
  readonly othersTold: number;
  readonly changes: number;
}

/** Stands for a thing where no message brought it. */
export function thing(fingerprint: string): CountedMessage {
  return { id: "", fingerprint, resolved: false };
}

/** What is known of the things that a batch of messages tells of. */
export interface FeedbackFacts {
  /** Ids of messages of the batch that were counted before. */
  readonly counted: ReadonlySet<string>;
  /** By fingerprint. */
  readonly known: ReadonlyMap<string, FeedbackCount>;
  /** Issues that were opened about the environment within 24 hours. */
  readonly issues: number;
  readonly today: FeedbackDay;
}

const NOTHING_YET: FeedbackDay = { heard: 0, others: 0, othersTold: 0, changes: 0 };
const DAY_MS = 86_400_000;

/** Four reads, however many messages there are and however many came before. @param at ISO 8601 */
export async function readFeedback(
  store: Store,
  environment: Subject,
  messages: readonly CountedMessage[],
  at: string,
): Promise<FeedbackFacts> {
  const key = subjectKey(environment);
  const listed = (values: readonly string[]) => sql`(select value from json_each(${JSON.stringify(values)}))`;
  const since = new Date(Date.parse(at) - DAY_MS).toISOString();
  const ids = messages.map(({ id }) => `${key}:${id}`);
  const fingerprints = messages.map(({ fingerprint }) => fingerprint);
  const [seen, known, [issues], [today]] = await Promise.all([
    reading(
      store.read
        .select({ id: feedbackMessages.id })
        .from(feedbackMessages)
        .where(inArray(feedbackMessages.id, listed(ids))),
    ),
    reading(
      store.read
        .select()
        .from(feedbackCounts)
        .where(and(eq(feedbackCounts.subjectKey, key), inArray(feedbackCounts.fingerprint, listed(fingerprints)))),
    ),
    reading(
      store.read
        .select({ count: sql<number>`count(*)` })
        .from(feedbackCounts)
        .where(sql`subject_key = ${key} and issue_at is not null and issue_at > ${since}`),
    ),
    reading(
      store.read
        .select()
        .from(feedbackDays)
        .where(and(eq(feedbackDays.subjectKey, key), eq(feedbackDays.day, at.slice(0, 10)))),
    ),
  ]);
  return {
    counted: new Set(seen.map(({ id }) => id.slice(key.length + 1))),
    known: new Map(known.map((row) => [row.fingerprint, { ...row, shown: readShown(row.shown) }])),
    issues: issues?.count ?? 0,
    today: today ?? NOTHING_YET,
  };
}

function readShown(written: string | null): FeedbackStanding | null {
  if (written === null) return null;
  return FeedbackStanding.safeParse(JSON.parse(written)).data ?? null;
}

/** What a batch of messages comes to; written in one transaction with what follows from it. */
export interface FeedbackChange {
  readonly environment: Subject;
  /** Messages that do not count again when they come again. */
  readonly heard: readonly string[];
  /** Those among them that are counted thing by thing. */
  readonly counted: readonly CountedMessage[];
  /** What the pipeline knows of these things now. */
  readonly told: readonly Pick<FeedbackCount, "fingerprint" | "told" | "toldResolved" | "issueAt" | "shown">[];
  /** Things that are over without a message that says so. */
  readonly quiet?: readonly string[];
  /** What is added to the day; of `othersTold` it is what it is now. */
  readonly today: FeedbackDay;
}

/** Four statements, however much it is. A message that another transaction has counted meanwhile is not counted again. @param at ISO 8601 */
export function changeFeedback(change: FeedbackChange, at: string): Statement[] {
  const { environment, heard, counted, told, quiet = [], today } = change;
  const key = subjectKey(environment);
  const { installationId } = environment.repository;
  const rows = counted.map(({ id, fingerprint, resolved }) => [`${key}:${id}`, fingerprint, resolved ? 1 : 0]);
  const marks = told.map((one) => [
    one.fingerprint,
    one.told,
    one.toldResolved ? 1 : 0,
    one.issueAt,
    one.shown && JSON.stringify(one.shown),
  ]);
  const { others, othersTold, changes } = today;
  return [
    // The column without an aggregate is of the row that max() is of.
    statement(sql`
      insert into feedback_counts (subject_key, installation_id, fingerprint, count, first_at, last_at, told, resolved, told_resolved)
      select ${key}, ${installationId}, fingerprint, count(*), ${at}, ${at}, 0, resolved, 0 from (
        select value ->> 1 as fingerprint, value ->> 2 as resolved, max(key) as place from json_each(${JSON.stringify(rows)})
        where value ->> 0 not in (select id from feedback_messages) group by value ->> 0)
      group by fingerprint having max(place) is not null
      on conflict (subject_key, fingerprint) do update
        set count = count + excluded.count, last_at = excluded.last_at, resolved = excluded.resolved`),
    statement(sql`
      insert into feedback_messages (id, at) select ${`${key}:`} || value, ${at} from json_each(${JSON.stringify(heard)})
      where true on conflict (id) do nothing`),
    // The order of a cross join is kept: each mark finds its row by the key. The other way round, 5,000 marks took 40 seconds.
    statement(sql`
      insert into feedback_counts (subject_key, installation_id, fingerprint, count, first_at, last_at, told, resolved, told_resolved, issue_at, shown)
      select subject_key, installation_id, fingerprint, count, first_at, last_at, value ->> 1, resolved, value ->> 2, value ->> 3, value ->> 4
      from json_each(${JSON.stringify(marks)}) cross join feedback_counts
      where subject_key = ${key} and fingerprint = value ->> 0
      on conflict (subject_key, fingerprint) do update
        set told = excluded.told, told_resolved = excluded.told_resolved, issue_at = excluded.issue_at, shown = excluded.shown`),
    ...quiet.map((fingerprint) => {
      return statement(sql`
        update feedback_counts set resolved = 1 where subject_key = ${key} and fingerprint = ${fingerprint}`);
    }),
    statement(sql`
      insert into feedback_days (subject_key, installation_id, day, heard, others, others_told, changes)
      values (${key}, ${installationId}, ${at.slice(0, 10)}, ${today.heard}, ${others}, ${othersTold}, ${changes})
      on conflict (subject_key, day) do update set heard = heard + excluded.heard, others = others + excluded.others,
        others_told = max(others_told, excluded.others_told), changes = changes + excluded.changes`),
  ];
}

/** A repository by its name, as the newest run there knows it; undefined where Forge never worked. @param name `owner/name`, small letters */
export async function findRepositoryByName(store: Store, name: string): Promise<Subject["repository"] | undefined> {
  const [row] = await reading(
    store.read
      .select({ subject: runs.subject })
      .from(runs)
      .where(sql`lower((subject ->> '$.repository.owner') || '/' || (subject ->> '$.repository.name')) = ${name}`)
      .orderBy(desc(runs.startedAt))
      .limit(1),
  );
  return row && Subject.parse(JSON.parse(row.subject)).repository;
}
