import { defined } from "../domain/defined.ts";
import type { MemoryScope, MemoryType, Provenance } from "../domain/memories.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { fadedConfidence } from "./confidence.ts";

/**
 * A memory as it is handed out. `content` and `context` are data that somebody once wrote, maybe to mislead: whoever shows them to a
 * model fences them and puts `label` beside them, never among instructions.
 */
export interface RecalledMemory {
  readonly id: string;
  readonly type: MemoryType;
  readonly content: string;
  readonly context: string;
  readonly tags: readonly string[];
  readonly scope: MemoryScope;
  readonly provenance: Provenance;
  /** One line of our own words: what it is, who taught it, where, and on which code it rests. */
  readonly label: string;
  /** Compares within one recall only. */
  readonly score: number;
  /** Cosine with the question, −1 to 1; 0 where it is not known. */
  readonly similarity: number;
  readonly createdAt: string;
}

export function recalledMemory(
  memory: StoredMemory,
  { score, similarity, now }: { readonly score: number; readonly similarity: number; readonly now: string },
): RecalledMemory {
  const { taughtBy, thread, sourceEvent } = memory;
  const provenance: Provenance = {
    origin: memory.origin,
    cites: [...memory.cites],
    confidence: fadedConfidence(memory.confidence, memory.lastUsedAt, now),
    ...defined({ taughtBy, thread, sourceEvent }),
  };
  const { id, type, content, context, tags, scope, createdAt } = memory;
  const label = labelOf(memory, provenance);
  return { id, type, content, context, tags, scope, provenance, label, score, similarity, createdAt };
}

const ORIGIN_IN_WORDS = {
  model: "concluded by a model",
  person: "taught by a person",
  outcome: "seen in production",
} as const;

function labelOf({ id, type, createdAt, scope }: StoredMemory, provenance: Provenance): string {
  const { origin, taughtBy, thread, cites, confidence } = provenance;
  const who =
    taughtBy === undefined ? ORIGIN_IN_WORDS[origin] : `${ORIGIN_IN_WORDS[origin]}, ${oneLine(taughtBy.login)}`;
  return [
    `memory ${id}`,
    type,
    scope.repositoryId === undefined ? "for the whole organisation" : "for this repository",
    who,
    `on ${createdAt.slice(0, 10)}`,
    ...(thread === undefined ? [] : [`in ${oneLine(thread)}`]),
    ...(cites.length === 0 ? [] : [`resting on ${cites.map(({ path }) => oneLine(path)).join(" and ")}`]),
    `confidence ${confidence.toFixed(2)}`,
  ].join(" · ");
}

/** Names come from outside: they must not begin a line of their own, nor end the label. */
function oneLine(text: string): string {
  return text
    .replace(/[\s·]+/g, " ")
    .trim()
    .slice(0, 200);
}
