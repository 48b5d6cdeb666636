import type { NewEvent } from "../domain/events.ts";
import type { Redact } from "../safety/redact.ts";
import type { Store } from "../store/store.ts";
import { type Application, applyMemories } from "./apply-memories.ts";
import type { Lesson } from "./lesson.ts";
import { localEmbedder } from "./local-embedding.ts";
import type { Embedder, EstimateTokens } from "./ports.ts";
import { type Recall, recall } from "./recall.ts";
import type { RecallQuestion } from "./recall-question.ts";
import { type Remembered, remember } from "./remember.ts";
import { renewEmbeddings } from "./renew-embeddings.ts";
import { createVectorCache } from "./vector-cache.ts";

/** Room for 100,000 memories of the built-in method with what is known of them. */
const CACHE_BYTES = 192 * 1024 * 1024;

export interface MemoryOptions {
  readonly store: Store;
  readonly redact: Redact;
  /** Tokens of a text in a prompt. */
  readonly estimateTokens: EstimateTokens;
  /** Without one the built-in method, which needs neither model nor network (MEM-5). */
  readonly embedder?: Embedder;
  readonly cacheBytes?: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly now?: () => string;
}

/** The memory of Forge. What it returns as `event` is for the caller to append to his run. */
export interface Memory {
  /** @throws ForgeError `memory_invalid`. */
  readonly remember: (lesson: Lesson, signal?: AbortSignal) => Promise<Remembered>;
  readonly recall: (question: RecallQuestion) => Promise<Recall>;
  readonly apply: (application: Application) => Promise<Extract<NewEvent, { type: "memory.applied" }> | undefined>;
  /** Embeds up to `batch` memories that lack an embedding of the present method; gives how many. */
  readonly renewEmbeddings: (batch: number, signal?: AbortSignal) => Promise<number>;
}

export function openMemory(options: MemoryOptions): Memory {
  const { store, redact, estimateTokens, embedder = localEmbedder(), cacheBytes = CACHE_BYTES } = options;
  const now = options.now ?? (() => new Date().toISOString());
  const { method, dimensions } = embedder;
  const vectors = createVectorCache({ store, method, dimensions, maximumBytes: cacheBytes });
  const powers = { store, redact, estimateTokens, embedder, vectors, now };
  return {
    remember: (lesson, signal) => remember(powers, lesson, signal),
    recall: (question) => recall(powers, question),
    apply: (application) => applyMemories(powers, application),
    renewEmbeddings: (batch, signal) => renewEmbeddings(powers, batch, signal),
  };
}
