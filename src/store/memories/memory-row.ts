import { getTableColumns } from "drizzle-orm";
import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import { CitedCode, type MemoryScope, type NewMemory, PutAway } from "../../domain/memories.ts";
import { Actor } from "../../domain/subjects.ts";
import { memories } from "../schema.ts";

/** A memory as it is stored (MEM-1). Moments are ISO 8601, UTC, milliseconds. */
export interface StoredMemory extends NewMemory {
  readonly sequence: number;
  readonly archived: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastUsedAt: string;
  readonly accessCount: number;
  /** Why it was archived. */
  readonly putAway?: PutAway;
  /** When a person brought it back. */
  readonly restoredAt?: string;
  /** Of those with the same number one is recalled: the sequence of the first that said it. */
  readonly group: number;
  /** The pattern that is recalled in its place. */
  readonly replacedBy?: string;
}

/** The number that stands for the scope's repository in a row. */
export function repositoryOf(scope: MemoryScope): number {
  return scope.repositoryId ?? 0;
}

const Texts = z.array(z.string());

export function parseTexts(stored: string): string[] {
  return Texts.parse(JSON.parse(stored));
}

const { embedding: _embedding, embeddingMethod: _method, ...others } = getTableColumns(memories);
/** The columns of a memory but its embedding, which is most of a row. */
export const WITHOUT_VECTOR = others;

type Row = typeof memories.$inferSelect;
type Vector = "embedding" | "embeddingMethod";

export function memoryFrom(row: Omit<Row, Vector> & Partial<Pick<Row, Vector>>): StoredMemory {
  const { installationId, repositoryId, agentType, taughtBy, thread, sourceEvent, expiresAt, embeddingMethod } = row;
  return {
    sequence: row.sequence,
    id: row.id,
    scope: { installationId, ...(repositoryId === 0 ? {} : { repositoryId }) },
    type: row.type,
    content: row.content,
    context: row.context,
    tags: parseTexts(row.tags),
    keywords: parseTexts(row.keywords),
    confidence: row.confidence,
    origin: row.origin,
    cites: z.array(CitedCode).parse(JSON.parse(row.cites)),
    metadata: z.record(z.string(), z.unknown()).parse(JSON.parse(row.metadata)),
    archived: row.archived,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    lastUsedAt: row.lastUsedAt,
    accessCount: row.accessCount,
    group: row.linkedTo ?? row.sequence,
    ...defined({ replacedBy: row.replacedBy ?? undefined, restoredAt: row.restoredAt ?? undefined }),
    ...(row.putAway === null ? {} : { putAway: PutAway.parse(JSON.parse(row.putAway)) }),
    ...defined({ agentType: agentType ?? undefined }),
    ...(taughtBy === null ? {} : { taughtBy: Actor.parse(JSON.parse(taughtBy)) }),
    ...defined({
      thread: thread ?? undefined,
      sourceEvent: sourceEvent ?? undefined,
      expiresAt: expiresAt ?? undefined,
    }),
    ...(embeddingMethod && row.embedding
      ? { embedding: { method: embeddingMethod, vector: vectorFrom(row.embedding) } }
      : {}),
  };
}

/** A copy, because the bytes of a result may stand at an odd place and be used again. */
export function vectorFrom(bytes: Uint8Array | ArrayBuffer): Float32Array {
  const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  const vector = new Float32Array(view.byteLength >> 2);
  new Uint8Array(vector.buffer).set(view.subarray(0, vector.byteLength));
  return vector;
}

export function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
