import { getTableColumns, inArray } from "drizzle-orm";
import { memoryFrom, type StoredMemory } from "./memory-row.ts";
import { reading } from "./reading.ts";
import { memories } from "./schema.ts";
import type { Store } from "./store.ts";

const { embedding: _embedding, embeddingMethod: _method, ...columns } = getTableColumns(memories);

/** The memories with these sequences, in no order and without their embeddings; those that are gone are left out. */
export async function readMemories(store: Store, sequences: readonly number[]): Promise<StoredMemory[]> {
  if (sequences.length === 0) return [];
  const rows = await reading(
    store.read
      .select(columns)
      .from(memories)
      .where(inArray(memories.sequence, [...sequences])),
  );
  return rows.map((row) => memoryFrom({ ...row, embedding: null, embeddingMethod: null }));
}
