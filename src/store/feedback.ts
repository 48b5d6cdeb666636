import { desc, sql } from "drizzle-orm";
import { Subject, subjectKey } from "../domain/subjects.ts";
import { feedbackCounts, runs } from "./schema.ts";
import { statement } from "./statement.ts";
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
}

/**
 * Counts messages by what they tell of, in one transaction however many they are; one that was counted before is not again. Of those about
 * the same thing the last says whether it is over.
 * @param at ISO 8601
 */
export async function countFeedback(
  store: Store,
  environment: Subject,
  messages: readonly CountedMessage[],
  at: string,
): Promise<void> {
  const key = subjectKey(environment);
  const rows = JSON.stringify(
    messages.map(({ id, fingerprint, resolved }) => [`${key}:${id}`, fingerprint, resolved ? 1 : 0]),
  );
  await store.queue.together([
    // The column without an aggregate is of the row that max() is of.
    statement(sql`
      insert into feedback_counts (subject_key, installation_id, fingerprint, count, first_at, last_at, told, resolved, told_resolved)
      select ${key}, ${environment.repository.installationId}, fingerprint, count(*), ${at}, ${at}, 0, resolved, 0 from (
        select value ->> 1 as fingerprint, value ->> 2 as resolved, max(key) as place from json_each(${rows})
        where value ->> 0 not in (select id from feedback_messages) group by value ->> 0)
      group by fingerprint having max(place) is not null
      on conflict (subject_key, fingerprint) do update
        set count = count + excluded.count, last_at = excluded.last_at, resolved = excluded.resolved`),
    statement(sql`
      insert into feedback_messages (id, at) select value ->> 0, ${at} from json_each(${rows}) where true on conflict (id) do nothing`),
  ]);
}

/** Of these things those that the pipeline was not told as they are: they are new, ten times as many, over, or there again. */
export async function listUntold(
  store: Store,
  environment: Subject,
  fingerprints: readonly string[],
): Promise<FeedbackCount[]> {
  const key = subjectKey(environment);
  return reading(
    store.read
      .select()
      .from(feedbackCounts)
      .where(
        sql`subject_key = ${key} and fingerprint in (select value from json_each(${JSON.stringify(fingerprints)}))
          and (told = 0 or count >= told * 10 or resolved <> told_resolved)`,
      ),
  );
}

/** Of how many different things an environment was told first since then. @param since ISO 8601 */
export async function countHeard(store: Store, environment: Subject, since: string): Promise<number> {
  const [row] = await reading(
    store.read
      .select({ count: sql<number>`count(*)` })
      .from(feedbackCounts)
      .where(sql`subject_key = ${subjectKey(environment)} and first_at > ${since}`),
  );
  return row?.count ?? 0;
}

/** The pipeline knows this now. */
export async function markTold(store: Store, environment: Subject, told: readonly FeedbackCount[]): Promise<void> {
  const key = subjectKey(environment);
  const rows = JSON.stringify(told.map(({ fingerprint, count, resolved }) => [fingerprint, count, resolved ? 1 : 0]));
  await store.queue.together([
    statement(sql`
      update feedback_counts set told = value ->> 1, told_resolved = value ->> 2
      from json_each(${rows}) where subject_key = ${key} and fingerprint = value ->> 0`),
  ]);
}

/** A repository by its name, as the newest run there knows it; undefined where Forge never worked. @param name `owner/name`, small letters */
export async function findRepositoryByName(store: Store, name: string): Promise<Subject["repository"] | undefined> {
  const [row] = await reading(
    store.read
      .select({ subject: runs.subject })
      .from(runs)
      .where(
        sql`lower(json_extract(subject, '$.repository.owner') || '/' || json_extract(subject, '$.repository.name')) = ${name}`,
      )
      .orderBy(desc(runs.startedAt))
      .limit(1),
  );
  return row && Subject.parse(JSON.parse(row.subject)).repository;
}
