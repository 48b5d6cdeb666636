import { sql } from "drizzle-orm";
import { statement } from "../statement.ts";
import type { Store } from "../store.ts";
import { bytesOf, repositoryOf, type StoredMemory } from "./memory-row.ts";

export type NewMemory = Omit<
  StoredMemory,
  "sequence" | "archived" | "updatedAt" | "lastUsedAt" | "accessCount" | "createdAt"
>;

export interface PutMemory {
  /** False when the same was there before. */
  readonly fresh: boolean;
  /** True when people put it away before and what was learnt now is not a reason to bring it back. */
  readonly archived: boolean;
  readonly confidence: number;
}

/**
 * Stores a memory. When it is there already, the word that carries more confidence decides what is said about it, so that a model cannot
 * rewrite what a person taught; and only a person, or production, brings back what was archived.
 */
export async function putMemory(store: Store, memory: NewMemory, at: string): Promise<PutMemory> {
  const { scope, embedding } = memory;
  const taughtBy = memory.taughtBy === undefined ? null : JSON.stringify(memory.taughtBy);
  const better = sql`excluded.confidence >= memories.confidence`;
  const decided = [
    ...["agent_type", "context", "tags", "keywords", "origin", "taught_by", "thread", "source_event", "cites"],
    ...["metadata", "expires_at", "embedding_method", "embedding"],
  ].map((name) =>
    sql.raw(
      `${name} = case when excluded.confidence >= memories.confidence then excluded.${name} else memories.${name} end`,
    ),
  );
  const [before, after] = await store.queue.together([
    statement(sql`select id from memories where id = ${memory.id}`),
    statement(sql`
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
        archived = case when excluded.origin = 'model' then memories.archived else 0 end,
        updated_at = excluded.updated_at, last_used_at = excluded.last_used_at
      returning archived, confidence`),
  ]);
  const row = after!.rows[0]!;
  return { fresh: before!.rows.length === 0, archived: row.archived === 1, confidence: Number(row.confidence) };
}
