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

/** Why a memory was archived by itself; people bring it back by `forge memory restore`, or by teaching it again (MEM-4). */
export const PutAway = z.object({
  /** `by` is the memory that says otherwise and is believed more. */
  why: z.enum(["faded", "unused", "contradicted", "beyond_limit"]),
  by: z.string().optional(),
  /** ISO 8601. */
  at: z.string(),
});
export type PutAway = z.infer<typeof PutAway>;

/** What several episodes say: what went well, what went wrong, or how something is done (MEM-1). */
export const PATTERN_KINDS = ["success", "failure", "approach"] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

/** `refused`: it lost a replay; `forgotten`: people had it deleted, and it is not proposed again. */
export const PATTERN_STATES = ["proposed", "standing", "refused", "forgotten"] as const;
export type PatternState = (typeof PATTERN_STATES)[number];

/** What stored recalls say of a pattern against its episodes, in recalls (MEM-4). */
export const PatternReplay = z.object({
  /** Looked at. */
  cases: z.number().int().nonnegative(),
  /** In which an episode of it was or would be recalled; of these the pattern is in `kept`, and more are in `beyond`. */
  held: z.number().int().nonnegative(),
  kept: z.number().int().nonnegative(),
  beyond: z.number().int().nonnegative(),
  /** In which an episode helped and the pattern would not be there. */
  lost: z.number().int().nonnegative(),
  /** In which the pattern would take the place of something that helped. */
  displaced: z.number().int().nonnegative(),
  /** In which what rested on an episode was dismissed, and the pattern would be there. */
  wrong: z.number().int().nonnegative(),
});
export type PatternReplay = z.infer<typeof PatternReplay>;

/** What episodes have in common. */
export interface Pattern {
  /** Of the memory that it becomes. */
  readonly id: string;
  readonly scope: MemoryScope;
  readonly state: PatternState;
  readonly kind: PatternKind;
  /** When it applies. */
  readonly trigger: string;
  readonly pattern: string;
  /** What mended it; empty where that is not known. */
  readonly resolution: string;
  /** In how many runs it was seen. */
  readonly frequency: number;
  /** Of the episodes whose run's end is known. */
  readonly successRate?: number;
  readonly confidence: number;
  readonly lastSeenAt: string;
  /** Ids of memories, the one whose words it has first. */
  readonly episodes: readonly string[];
  readonly replay?: PatternReplay;
}

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
