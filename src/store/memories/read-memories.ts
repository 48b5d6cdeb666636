import { and, asc, eq, getTableColumns, gt, inArray } from "drizzle-orm";
import { defined } from "../../domain/defined.ts";
import type { MemoryScope, MemoryType } from "../../domain/memories.ts";
import { memories, memoryScopes } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { type Embedding, memoryFrom, parseTexts, repositoryOf, type StoredMemory, vectorFrom } from "./memory-row.ts";

/** How often the memories of a scope have changed and been deleted; both only grow, whichever process writes. */
export interface MemoryVersion {
  readonly revision: number;
  readonly deletions: number;
}

/** What a search looks at before it reads a memory. */
export interface MemoryEntry {
  readonly sequence: number;
  readonly revision: number;
  readonly archived: boolean;
  readonly type: MemoryType;
  readonly agentType?: string;
  readonly tags: readonly string[];
  readonly confidence: number;
  readonly expiresAt?: string;
  readonly embedding?: Embedding;
}

/** The version of a scope; undefined where nothing was ever remembered. */
export async function readMemoryVersion(store: Store, scope: MemoryScope): Promise<MemoryVersion | undefined> {
  const [row] = await reading(
    store.read
      .select({ revision: memoryScopes.revision, deletions: memoryScopes.deletions })
      .from(memoryScopes)
      .where(
        and(eq(memoryScopes.installationId, scope.installationId), eq(memoryScopes.repositoryId, repositoryOf(scope))),
      ),
  );
  return row;
}

/** The next memories of a scope, at most `limit`, that changed after `revision`, in the order of their change; archived ones as well. */
export async function readMemoryChanges(
  store: Store,
  scope: MemoryScope,
  { revision, limit }: { readonly revision: number; readonly limit: number },
): Promise<MemoryEntry[]> {
  const rows = await reading(
    store.read
      .select({
        sequence: memories.sequence,
        revision: memories.revision,
        archived: memories.archived,
        type: memories.type,
        agentType: memories.agentType,
        tags: memories.tags,
        confidence: memories.confidence,
        expiresAt: memories.expiresAt,
        embeddingMethod: memories.embeddingMethod,
        embedding: memories.embedding,
      })
      .from(memories)
      .where(
        and(
          eq(memories.installationId, scope.installationId),
          eq(memories.repositoryId, repositoryOf(scope)),
          gt(memories.revision, revision),
        ),
      )
      .orderBy(asc(memories.revision))
      .limit(limit),
  );
  return rows.map(({ agentType, tags, expiresAt, embeddingMethod: method, embedding, ...entry }) => ({
    ...entry,
    tags: tags === "[]" ? NO_TAGS : parseTexts(tags),
    ...defined({ agentType: agentType ?? undefined, expiresAt: expiresAt ?? undefined }),
    ...(method === null || embedding === null ? {} : { embedding: { method, vector: vectorFrom(embedding) } }),
  }));
}

/** One for all: most memories have none, and a cache holds many. */
const NO_TAGS: readonly string[] = [];

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
