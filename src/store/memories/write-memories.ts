import { gt, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Embedding, NewMemory } from "../../domain/memories.ts";
import { memories } from "../schema.ts";
import { type Statement, statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { bytesOf, memoryFrom, repositoryOf, type StoredMemory } from "./memory-row.ts";

/** How confidence fades and within which limits it stays (MEM-3); the rule itself stands in `memory/confidence.ts`. */
export interface Fading {
  readonly perWeek: number;
}

/** Marks memories as used: counts the access and settles what their confidence lost since the last one. */
export async function touchMemories(
  store: Store,
  sequences: readonly number[],
  { perWeek, at }: Fading & { readonly at: string },
): Promise<void> {
  if (sequences.length === 0) return;
  await store.queue.together([
    statement(sql`
      update memories set confidence = ${settled(perWeek, 0, at)}, last_used_at = max(last_used_at, ${at}), access_count = access_count + 1
      where ${inArray(memories.sequence, [...sequences])}`),
  ]);
}

/** What a decision changes about memories, in one transaction with the events that say so. */
export type MemoryChange =
  | { readonly kind: "stored"; readonly memory: NewMemory }
  /** What came of them changes how far they are believed: once for each `cause`. Unknown ids change nothing. */
  | ({
      readonly kind: "confidence";
      readonly ids: readonly string[];
      readonly by: number;
      readonly cause: string;
    } & Fading)
  /** For good, with what changed it. */
  | { readonly kind: "forgotten"; readonly id: string };

/** @param at ISO 8601, UTC, milliseconds */
export function changeMemories(changes: readonly MemoryChange[], at: string): Statement[] {
  return changes.flatMap((change): Statement[] => {
    switch (change.kind) {
      case "stored":
        return putStatements(change.memory, at);
      case "confidence":
        return changeConfidence(change, at);
      case "forgotten":
        return forget(change.id);
      default:
        return change satisfies never;
    }
  });
}

/**
 * A pattern may have the words of any of its episodes, and goes with them. One that people had deleted leaves its id behind, so that it is not
 * proposed again.
 */
function forget(id: string): Statement[] {
  const gone = sql`(select ${id} union select p.id from patterns p, json_each(p.episodes) e where e.value = ${id})`;
  return [
    statement(sql`update memories set replaced_by = null where replaced_by in ${gone}`),
    statement(sql`delete from memory_changes where memory_id in ${gone}`),
    statement(sql`delete from memories where id in ${gone}`),
    statement(sql`
      update patterns set state = 'forgotten', trigger = '', pattern = '', resolution = '', episodes = '[]' where id in ${gone}`),
  ];
}

/** First the change, where its cause is not known yet; then the cause. */
function changeConfidence(
  { ids, by, perWeek, cause }: Extract<MemoryChange, { kind: "confidence" }>,
  at: string,
): Statement[] {
  if (ids.length === 0) return [];
  const named = inArray(memories.id, [...ids]);
  return [
    statement(sql`
      update memories set confidence = ${settled(perWeek, by, at)}, last_used_at = max(last_used_at, ${at}), updated_at = ${at}
      where ${named} and not exists (select 1 from memory_changes where memory_id = memories.id and cause = ${cause})`),
    statement(sql`
      insert into memory_changes (memory_id, cause, installation_id, delta, at)
      select id, ${cause}, installation_id, ${by}, ${at} from memories where ${named}
      on conflict (memory_id, cause) do nothing`),
  ];
}

export function settled(perWeek: number, by: number, at: string): SQL {
  const weeks = sql`max(0, cast((julianday(${at}) - julianday(last_used_at)) / 7 + 0.000001 as integer))`;
  return sql`round(max(0, min(1, max(0, confidence - ${perWeek} * ${weeks}) + ${by})), 4)`;
}

/** Up to `limit` memories whose embedding is missing or of another method than `method`, archived ones too. */
export async function listOutdatedEmbeddings(store: Store, method: string, limit: number): Promise<StoredMemory[]> {
  const { embeddingMethod } = memories;
  // Three ranges of the index: "not equal" would read the whole table each time nothing is left to do.
  const outdated = or(isNull(embeddingMethod), lt(embeddingMethod, method), gt(embeddingMethod, method));
  const rows = await reading(store.read.select().from(memories).where(outdated).limit(limit));
  return rows.map(memoryFrom);
}

/** Gives memories new embeddings, each only if nobody rewrote it since it was read. */
export async function setEmbeddings(
  store: Store,
  renewed: readonly { readonly memory: StoredMemory; readonly embedding: Embedding }[],
): Promise<void> {
  if (renewed.length === 0) return;
  await store.queue.together(
    renewed.map(({ memory, embedding }) =>
      statement(sql`
        update memories set embedding_method = ${embedding.method}, embedding = ${bytesOf(embedding.vector)}
        where sequence = ${memory.sequence} and updated_at = ${memory.updatedAt}`),
    ),
  );
}

interface PutMemory {
  /** False when the same was there before. */
  readonly fresh: boolean;
  /** True when it was put away before and what was learnt now is not a reason to bring it back. */
  readonly archived: boolean;
  readonly confidence: number;
}

/** Stores a memory, as `putStatements` says. */
export async function putMemory(store: Store, memory: NewMemory, at: string): Promise<PutMemory> {
  const [before, after] = await store.queue.together([
    statement(sql`select id from memories where id = ${memory.id}`),
    ...putStatements(memory, at),
  ]);
  const row = after!.rows[0]!;
  return { fresh: before!.rows.length === 0, archived: row.archived === 1, confidence: Number(row.confidence) };
}

/** The memory, and that its source came to it, which counts once however often it is told. */
function putStatements(memory: NewMemory, at: string): Statement[] {
  const { id, scope, sourceEvent } = memory;
  if (sourceEvent === undefined) return [putStatement(memory, at)];
  const seen = sql`
    insert into memory_changes (memory_id, cause, installation_id, delta, at)
    values (${id}, ${`${SEEN}${sourceEvent}`}, ${scope.installationId}, 0, ${at}) on conflict (memory_id, cause) do nothing`;
  return [putStatement(memory, at), statement(seen)];
}

/** Of causes that say who came to a memory. */
export const SEEN = "seen:";

/** What was archived for want of use alone comes back when it is learnt again, whoever learns it. */
const RELEARNT = sql.raw(
  "(excluded.origin <> 'model' or coalesce(json_extract(memories.put_away, '$.why'), '') in ('faded', 'unused', 'beyond_limit'))",
);

/**
 * When a memory is there already, the word that carries more confidence decides what is said about it, so that a model cannot rewrite what a
 * person taught; and only a person, or production, brings back what was archived for what it says.
 */
function putStatement(memory: NewMemory, at: string): Statement {
  const { scope, embedding } = memory;
  const taughtBy = memory.taughtBy === undefined ? null : JSON.stringify(memory.taughtBy);
  // Who taught it says it anew, with the code as it stands now.
  const condition =
    "(excluded.confidence >= memories.confidence or (excluded.origin = 'person' and memories.origin = 'person'))";
  const better = sql.raw(condition);
  const decided = [
    ...["agent_type", "context", "tags", "keywords", "origin", "taught_by", "thread", "source_event", "cites"],
    ...["metadata", "expires_at", "embedding_method", "embedding"],
  ].map((name) => sql.raw(`${name} = case when ${condition} then excluded.${name} else memories.${name} end`));
  return statement(sql`
      insert into memories (id, installation_id, repository_id, type, agent_type, content, context, tags, keywords, confidence, origin,
        taught_by, thread, source_event, cites, metadata, created_at, updated_at, last_used_at, expires_at, embedding_method, embedding)
      values (${memory.id}, ${scope.installationId}, ${repositoryOf(scope)}, ${memory.type}, ${memory.agentType ?? null},
        ${memory.content}, ${memory.context}, ${JSON.stringify(memory.tags)}, ${JSON.stringify(memory.keywords)}, ${memory.confidence},
        ${memory.origin}, ${taughtBy}, ${memory.thread ?? null}, ${memory.sourceEvent ?? null}, ${JSON.stringify(memory.cites)},
        ${JSON.stringify(memory.metadata)}, ${at}, ${at}, ${at}, ${memory.expiresAt ?? null}, ${embedding?.method ?? null},
        ${embedding ? bytesOf(embedding.vector) : null})
      on conflict (id) do update set
        type = case when ${better} then excluded.type else memories.type end,
        ${sql.join(decided, sql`, `)},
        confidence = max(excluded.confidence, memories.confidence),
        archived = case when ${RELEARNT} then 0 else memories.archived end,
        put_away = case when ${RELEARNT} then null else memories.put_away end,
        updated_at = excluded.updated_at, last_used_at = excluded.last_used_at
      returning archived, confidence`);
}
