import { defined } from "../domain/defined.ts";
import type { NewEvent } from "../domain/events.ts";
import { LEAST_BELIEVED, type MemoryScope, type MemoryType, type Provenance } from "../domain/memories.ts";
import type { Redact } from "../safety/redact.ts";
import { visibleText } from "../safety/visible-text.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { touchMemories } from "../store/memories/write-memories.ts";
import type { Store } from "../store/store.ts";
import { FADING_PER_WEEK, fadedConfidence } from "./confidence.ts";
import { findCandidates, passes, type RecallFilter, type RecallQuestion, scoreOf } from "./find-candidates.ts";
import { cleanTag } from "./lesson.ts";
import type { Embedder, EstimateTokens } from "./ports.ts";
import { takeUsable } from "./usable.ts";
import type { VectorCache } from "./vector-cache.ts";

/** MEM-2. */
export const MOST_RECALLED = 10;
/** A task or a diff may be long; what it is about stands in its beginning. */
const QUESTION_CHARACTERS = 4_000;
const CHARACTERS_IN_EVENT = 500;

export interface RecallDependencies {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly vectors: VectorCache;
  readonly redact: Redact;
  readonly estimateTokens: EstimateTokens;
  /** ISO 8601, UTC, milliseconds. */
  readonly now: () => string;
}

export interface Recall {
  readonly items: readonly RecalledMemory[];
  readonly tokens: number;
  readonly event: Extract<NewEvent, { type: "memory.recalled" }>;
}

/** The memories that bear on a question, best first, at most ten and inside a budget of tokens; they are marked as used (MEM-2). */
export async function recall(dependencies: RecallDependencies, question: RecallQuestion): Promise<Recall> {
  const began = performance.now();
  const now = dependencies.now();
  const text = visibleText(question.text.slice(0, QUESTION_CHARACTERS));
  const filter = filterOf(question, now);
  const found = await findCandidates(dependencies, { ...question, text, filter });
  const tags = (question.tags ?? []).map(cleanTag);
  const ranked = found.candidates
    .filter(({ memory }) => passes(memory, filter))
    .map(({ memory, fused, similarity }) => ({
      memory,
      recalled: recalledMemory(memory, { score: scoreOf(memory, { fused, tags, now }), similarity, now }),
    }))
    .filter(({ recalled }) => recalled.provenance.confidence >= filter.minimumConfidence)
    .sort((a, b) => b.recalled.score - a.recalled.score || a.memory.sequence - b.memory.sequence);
  const room = {
    limit: Math.max(1, Math.min(question.limit ?? MOST_RECALLED, MOST_RECALLED)),
    tokens: question.budgetTokens,
  };
  const { taken, tokens, beyondBudget, leftOut } = await takeUsable(ranked, room, {
    candidateOf: ({ memory, recalled }) => candidateOf(memory, recalled),
    groupOf: ({ memory }) => memory.group,
    tokensOf: ({ recalled }) =>
      dependencies.estimateTokens(`${recalled.label}\n${recalled.content}\n${recalled.context}`),
    check: question.check,
  });
  await touchMemories(
    dependencies.store,
    taken.map(({ memory }) => memory.sequence),
    { perWeek: FADING_PER_WEEK, at: now },
  );
  const items = taken.map(({ recalled }) => recalled);
  const payload = {
    query: dependencies.redact(text).slice(0, CHARACTERS_IN_EVENT),
    items: items.map(({ id, type, score, similarity, provenance }) => ({
      memoryId: id,
      type,
      score,
      similarity,
      provenance,
    })),
    tokens,
    beyondBudget,
    wordsOnly: found.wordsOnly,
    durationMs: Math.round(performance.now() - began),
    ...(leftOut.length > 0 ? { leftOut: [...leftOut] } : {}),
  };
  return { items, tokens, event: { type: "memory.recalled", payload } };
}

/** What is asked of a memory before it is used. */
export function candidateOf(
  memory: StoredMemory,
  { provenance }: { readonly provenance: Pick<Provenance, "confidence"> },
) {
  const { id, content, cites, createdAt, metadata } = memory;
  const learntOn = typeof metadata.subject === "string" ? metadata.subject : undefined;
  return { id, content, cites, createdAt, confidence: provenance.confidence, learntOn };
}

function filterOf(question: RecallQuestion, now: string): RecallFilter {
  const { agentType, minimumConfidence = LEAST_BELIEVED, requiredTags = [] } = question;
  const types = question.types ?? ["episodic", "semantic", "procedural"];
  return {
    types: question.purpose === "reflection" ? types : types.filter((type) => type !== "episodic"),
    requiredTags: requiredTags.map(cleanTag),
    minimumConfidence,
    now,
    ...defined({ agentType }),
  };
}

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

function recalledMemory(
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
