import { z } from "zod";
import { Actor } from "./subjects.ts";

/** What happened once, what is so, how something is done (MEM-1). */
export const MEMORY_TYPES = ["episodic", "semantic", "procedural"] as const;
export const MemoryType = z.enum(MEMORY_TYPES);
export type MemoryType = z.infer<typeof MemoryType>;

/** Who a memory comes from: a model's own conclusion, a person's word, what production showed (MEM-3). */
export const MEMORY_ORIGINS = ["model", "person", "outcome"] as const;
export const MemoryOrigin = z.enum(MEMORY_ORIGINS);
export type MemoryOrigin = z.infer<typeof MemoryOrigin>;

/** Where a memory holds: in one repository, or without one in all of the installation's organisation. */
export interface MemoryScope {
  readonly installationId: number;
  readonly repositoryId?: number;
}

/**
 * Code that a memory rests on (MEM-6): `fingerprint` is the hex SHA-256 of what it said when it was cited. With `lines` it is that of so many
 * lines, wherever in the file they stand; without it of the whole file.
 */
export const CitedCode = z.object({
  path: z.string().min(1),
  fingerprint: z.string().min(1),
  lines: z.number().int().positive().optional(),
});
export type CitedCode = z.infer<typeof CitedCode>;

/** Where a memory comes from (MEM-6); shown with it wherever it is shown. `thread` is the address of the conversation. */
export const Provenance = z.object({
  origin: MemoryOrigin,
  taughtBy: Actor.optional(),
  thread: z.string().optional(),
  sourceEvent: z.string().optional(),
  cites: z.array(CitedCode),
  confidence: z.number().min(0).max(1),
});
export type Provenance = z.infer<typeof Provenance>;

/** What is believed less is used by nobody, and archived (MEM-4). */
export const LEAST_BELIEVED = 0.2;

/** What came of using a memory (MEM-3). */
export const MEMORY_USES = ["applied", "confirmed", "dismissed"] as const;
export const MemoryUse = z.enum(MEMORY_USES);
export type MemoryUse = z.infer<typeof MemoryUse>;

/** Why a memory that bears on a question is not used now. */
export const MemoryLeftOut = z.object({
  memoryId: z.string(),
  /** `gone`: the code of `path` that it rests on is not there any more; `unread`: nobody could look; `contradicted`: `by` says otherwise, and is believed more. */
  why: z.enum(["gone", "unread", "contradicted"]),
  path: z.string().optional(),
  by: z.string().optional(),
});
export type MemoryLeftOut = z.infer<typeof MemoryLeftOut>;

/** Vectors of different methods are never compared. */
export interface Embedding {
  readonly method: string;
  readonly vector: Float32Array;
}

/** A memory before it is stored (MEM-1). `id` is made from its scope and its content. */
export interface NewMemory {
  readonly id: string;
  readonly scope: MemoryScope;
  readonly type: MemoryType;
  readonly agentType?: string;
  readonly content: string;
  readonly context: string;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  /** As it was when it was last used: it fades from then on (MEM-3). */
  readonly confidence: number;
  readonly origin: MemoryOrigin;
  readonly taughtBy?: Actor;
  readonly thread?: string;
  readonly sourceEvent?: string;
  readonly cites: readonly CitedCode[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** ISO 8601, UTC, milliseconds. */
  readonly expiresAt?: string;
  readonly embedding?: Embedding;
}

/** A memory that a command or an outcome teaches, ready to be stored, with what was known when it was made ready. */
export interface Taught {
  readonly memory: NewMemory;
  readonly provenance: Provenance;
  /** The same, where it is known already. */
  readonly known?: { readonly origin: MemoryOrigin; readonly by?: Actor; readonly archived: boolean };
  /** Ids of memories that say otherwise. */
  readonly opposed: readonly string[];
}

/** The event that says that a memory was stored. */
export function storedPayload({ memory, provenance, known }: Omit<Taught, "opposed">, cause: string) {
  const { id: memoryId, type, scope } = memory;
  const repositoryId = scope.repositoryId === undefined ? {} : { repositoryId: scope.repositoryId };
  return { memoryId, type, ...repositoryId, fresh: known === undefined, provenance, cause };
}
