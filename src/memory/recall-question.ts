import type { MemoryScope, MemoryType } from "../domain/memories.ts";

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
  readonly signal?: AbortSignal;
}
