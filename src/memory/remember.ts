import { defined } from "../domain/defined.ts";
import type { NewEvent } from "../domain/events.ts";
import { memoryId } from "../domain/ids.ts";
import type { Embedding, NewMemory, Provenance, Taught } from "../domain/memories.ts";
import type { Redact } from "../safety/redact.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { putMemory } from "../store/memories/write-memories.ts";
import type { Store } from "../store/store.ts";
import { FIRST_CONFIDENCE } from "./confidence.ts";
import { type CleanLesson, cleanLesson, type Lesson } from "./lesson.ts";
import type { Embedder } from "./ports.ts";

export interface RememberDependencies {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly redact: Redact;
  /** ISO 8601, UTC, milliseconds. */
  readonly now: () => string;
}

export interface Remembered {
  readonly id: string;
  /** False when the same text was remembered before in the same scope. */
  readonly fresh: boolean;
  /** True when it was put away for what it says: it stays so, whatever a model says. */
  readonly archived: boolean;
  readonly event: Extract<NewEvent, { type: "memory.stored" }>;
}

/**
 * Stores what was learnt (MEM-1, MEM-6). Doing it twice stores it once. Without an embedding, because its maker failed, it is stored all
 * the same and found by its words until `renewEmbeddings` has come by.
 * @throws ForgeError `memory_invalid`, and those of the store.
 */
export async function remember(
  dependencies: RememberDependencies,
  lesson: Lesson,
  signal?: AbortSignal,
): Promise<Remembered> {
  const { memory, provenance } = await prepareMemory(dependencies, lesson, signal);
  const put = await putMemory(dependencies.store, memory, dependencies.now());
  const { id, type, scope } = memory;
  const { repositoryId } = scope;
  const payload = { memoryId: id, type, ...defined({ repositoryId }), fresh: put.fresh, provenance };
  return { id, fresh: put.fresh, archived: put.archived, event: { type: "memory.stored", payload } };
}

/**
 * Makes a lesson ready to be stored by a decision, which says so in the log.
 * @throws ForgeError `memory_invalid`
 */
export async function prepareMemory(
  dependencies: Pick<RememberDependencies, "redact" | "embedder">,
  lesson: Lesson,
  signal?: AbortSignal,
): Promise<Pick<Taught, "memory" | "provenance">> {
  const clean = cleanLesson(lesson, dependencies.redact);
  const { installationId, repositoryId } = clean.scope;
  const scope = { installationId, ...defined({ repositoryId }) };
  const id = memoryId(installationId, repositoryId ?? 0, clean.content);
  const embedding = await embeddingOf(dependencies.embedder, clean, signal);
  const confidence = firstConfidence(clean);
  const { agentType, taughtBy, thread, sourceEvent, expiresAt } = clean;
  const memory: NewMemory = {
    id,
    scope,
    type: clean.type,
    content: clean.content,
    context: clean.context,
    tags: clean.tags,
    keywords: clean.keywords,
    confidence,
    origin: clean.origin,
    cites: clean.cites,
    metadata: clean.metadata,
    ...defined({ agentType, taughtBy, thread, sourceEvent, expiresAt, embedding }),
  };
  const provenance: Provenance = {
    origin: clean.origin,
    cites: clean.cites,
    confidence,
    ...defined({ taughtBy, thread, sourceEvent }),
  };
  return { memory, provenance };
}

/** A model may doubt what it learnt, not vouch for it. */
function firstConfidence({ origin, confidence = FIRST_CONFIDENCE[origin] }: CleanLesson): number {
  return origin === "model" ? Math.min(confidence, FIRST_CONFIDENCE.model) : confidence;
}

/** What of a memory is embedded: all that is indexed by words as well. */
export function embeddedText(memory: Pick<StoredMemory, "content" | "context" | "tags" | "keywords">): string {
  return [memory.content, memory.keywords.join(", "), memory.tags.join(", "), memory.context]
    .filter((part) => part !== "")
    .join("\n");
}

async function embeddingOf(
  embedder: Embedder,
  lesson: CleanLesson,
  signal: AbortSignal | undefined,
): Promise<Embedding | undefined> {
  const [vector] = await embedder.embed([embeddedText(lesson)], signal).catch(() => []);
  return vector === undefined ? undefined : { method: embedder.method, vector };
}
