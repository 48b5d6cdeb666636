import { gt, isNull, lt, or, sql } from "drizzle-orm";
import { bytesOf, type Embedding, memoryFrom, type StoredMemory } from "./memory-row.ts";
import { reading } from "./reading.ts";
import { memories } from "./schema.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

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
