import type { MemoryScope, MemoryType } from "../domain/memories.ts";
import type { CheckCitation } from "./citations.ts";

/** What a recall may find at all (MEM-2). */
export interface RecallFilter {
  readonly types: readonly MemoryType[];
  readonly agentType?: string;
  /** Each of them must be there. */
  readonly requiredTags: readonly string[];
  /** 0 to 1, compared with the confidence of today. */
  readonly minimumConfidence: number;
  /** ISO 8601: what has expired by then is not found. */
  readonly now: string;
}

interface Filtered {
  readonly archived: boolean;
  readonly type: MemoryType;
  readonly agentType?: string;
  readonly tags: readonly string[];
  readonly confidence: number;
  readonly expiresAt?: string;
}

/** Whether a memory passes. Its `confidence` may be one of the past, which is never below today's. */
export function passes(memory: Filtered, filter: RecallFilter): boolean {
  return (
    !memory.archived &&
    filter.types.includes(memory.type) &&
    memory.confidence >= filter.minimumConfidence &&
    (memory.agentType === undefined || memory.agentType === filter.agentType) &&
    (memory.expiresAt === undefined || memory.expiresAt > filter.now) &&
    filter.requiredTags.every((tag) => memory.tags.includes(tag))
  );
}

/** The scopes whose memories hold where the question is asked: the repository's and its organisation's. */
export function scopesOf(scope: MemoryScope): MemoryScope[] {
  const organisation = { installationId: scope.installationId };
  return scope.repositoryId === undefined ? [organisation] : [scope, organisation];
}

export interface RecallQuestion {
  readonly scope: MemoryScope;
  readonly text: string;
  /** Episodes are found for reflection only (MEM-2). */
  readonly purpose: "task" | "reflection";
  readonly agentType?: string;
  /** Without it, all that the purpose allows. */
  readonly types?: readonly MemoryType[];
  /** Preferred. */
  readonly tags?: readonly string[];
  /** Each of them must be there. */
  readonly requiredTags?: readonly string[];
  readonly minimumConfidence?: number;
  /** Cosine; without it a memory that shares no word with the question must be nearer than by chance. */
  readonly minimumSimilarity?: number;
  /** 1 to 10. */
  readonly limit?: number;
  readonly budgetTokens: number;
  /** Whether the code that memories rest on is there; without it nobody looks. */
  readonly check?: CheckCitation;
  readonly signal?: AbortSignal;
}
