import type { MemoryScope, MemoryType } from "../domain/memories.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { findMemoryWords, type MemoryEntry, readMemories } from "../store/memories/read-memories.ts";
import type { Store } from "../store/store.ts";
import type { CheckCitation } from "./citations.ts";
import { fadedConfidence } from "./confidence.ts";
import type { Embedder } from "./ports.ts";
import { type Facts, MOST_OF_A_GROUP, type Near, type ScopeVectors } from "./scope-vectors.ts";
import type { VectorCache } from "./vector-cache.ts";

/** How many of each list are fused. */
const LIST_LENGTH = 60;
/** How many of the fused are read: tags, age and confidence do not lift what stands further down into the first ten. */
const READ_LENGTH = 40;
/** Asked of the words, as the filter is not known there. */
const WORDS_LENGTH = 200;
const WORDS_OF_QUESTION = 32;

interface Candidate {
  readonly memory: StoredMemory;
  /** 0 to 1. */
  readonly fused: number;
  readonly similarity: number;
}

interface Dependencies {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly vectors: VectorCache;
}

/** What a question finds by words and by vectors, fused, in no order; `wordsOnly` when the vectors could not be asked. */
export async function findCandidates(
  dependencies: Dependencies,
  question: RecallQuestion & { readonly filter: RecallFilter },
): Promise<{ readonly candidates: Candidate[]; readonly wordsOnly: boolean }> {
  const { filter, signal } = question;
  const scopes = scopesOf(question.scope);
  if (filter.types.length === 0) return { candidates: [], wordsOnly: false };
  const words = [...new Set(wordsOf(question.text))].slice(0, WORDS_OF_QUESTION);
  const [vector] = await dependencies.embedder.embed([question.text], signal).catch(() => []);
  const indexes: ScopeVectors[] = [];
  for (const scope of vector === undefined ? [] : scopes) {
    const index = await dependencies.vectors.vectorsOf(scope);
    if (index !== undefined) indexes.push(index);
  }
  const wordsOnly = vector === undefined || indexes.length < scopes.length;
  const near = vector === undefined ? [] : await nearestOf(indexes, vector, filter);

  const asked = await findMemoryWords(dependencies.store, { scopes, types: filter.types, words, limit: WORDS_LENGTH });
  const passing = asked.filter((sequence) => mayPass(indexes, sequence, filter));
  const byWords = someOfEach(passing, (sequence) => factsIn(indexes, sequence)?.group).slice(0, LIST_LENGTH);
  const least = question.minimumSimilarity ?? dependencies.embedder.noise;
  const byVector = near.filter(({ similarity }) => similarity >= least).map(({ sequence }) => sequence);

  const fused = fuseRanks(byWords, byVector);
  const first = [...fused.keys()].sort((a, b) => fused.get(b)! - fused.get(a)!).slice(0, READ_LENGTH);
  const similarities = new Map(first.map((sequence) => [sequence, similarityOf(indexes, sequence, vector)]));
  const { minimumSimilarity = -1 } = question;
  const alike = first.filter((sequence) => similarities.get(sequence)! >= minimumSimilarity);
  const memories = await readMemories(dependencies.store, alike);
  const candidates = memories.map((memory) => ({
    memory,
    fused: fused.get(memory.sequence)!,
    similarity: similarities.get(memory.sequence)!,
  }));
  return { candidates, wordsOnly };
}

async function nearestOf(
  indexes: readonly ScopeVectors[],
  vector: Float32Array,
  filter: RecallFilter,
): Promise<Near[]> {
  const lists: Near[] = [];
  for (const index of indexes)
    lists.push(...(await index.nearest(vector, (facts) => passes(facts, filter), LIST_LENGTH)));
  return lists.sort((a, b) => b.similarity - a.similarity).slice(0, LIST_LENGTH);
}

/** False only for what is known not to pass; the row itself is asked again. */
function mayPass(indexes: readonly ScopeVectors[], sequence: number, filter: RecallFilter): boolean {
  const facts = factsIn(indexes, sequence);
  return facts === undefined || passes(facts, filter);
}

function factsIn(indexes: readonly ScopeVectors[], sequence: number): Facts | undefined {
  for (const index of indexes) {
    const facts = index.factsOf(sequence);
    if (facts !== undefined) return facts;
  }
  return undefined;
}

/** Without those that say again what several before them said: a thousand that say the same do not crowd out the rest. */
function someOfEach(sequences: readonly number[], groupOf: (sequence: number) => number | undefined): number[] {
  const counts = new Map<number, number>();
  return sequences.filter((sequence) => {
    const group = groupOf(sequence) ?? sequence;
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return count <= MOST_OF_A_GROUP;
  });
}

/** 0 where it is not known: the vector is missing, of another method, or not in memory. */
function similarityOf(indexes: readonly ScopeVectors[], sequence: number, vector: Float32Array | undefined): number {
  if (vector === undefined) return 0;
  for (const index of indexes) {
    const similarity = index.similarityOf(sequence, vector);
    if (similarity !== undefined) return similarity;
  }
  return 0;
}

/** Dampens the first places: with 60 the tenth still has most of the first one's weight, so that both lists are heard. */
const DAMPING = 60;
const WORDS_WEIGHT = 1;
/** Vectors of pieces of words find what words miss, and rank what both find a little worse. */
const VECTOR_WEIGHT = 0.5;

/** How far tags, age and confidence move a memory: together about as far as ten places of a list. */
const TAGS_WEIGHT = 0.2;
const RECENCY_WEIGHT = 0.05;
const CONFIDENCE_WEIGHT = 0.1;
const HALF_LIFE_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Fuses the two lists by weighted reciprocal rank: 1 for who leads both, 0 for who stands in neither. */
export function fuseRanks(byWords: readonly number[], byVector: readonly number[]): Map<number, number> {
  const scores = new Map<number, number>();
  const most = (WORDS_WEIGHT + VECTOR_WEIGHT) / DAMPING;
  const add = (list: readonly number[], weight: number) => {
    for (const [place, sequence] of list.entries()) {
      scores.set(sequence, (scores.get(sequence) ?? 0) + weight / (DAMPING + place) / most);
    }
  };
  add(byWords, WORDS_WEIGHT);
  add(byVector, VECTOR_WEIGHT);
  return scores;
}

/** The score of a memory, from its fused rank (0 to 1), the share of the question's tags it has, its age and its confidence today. */
export function scoreOf(
  memory: Pick<StoredMemory, "tags" | "updatedAt" | "lastUsedAt" | "confidence">,
  { fused, tags, now }: { readonly fused: number; readonly tags: readonly string[]; readonly now: string },
): number {
  const shared = tags.length === 0 ? 0 : tags.filter((tag) => memory.tags.includes(tag)).length / tags.length;
  const days = Math.max(0, (Date.parse(now) - Date.parse(memory.updatedAt)) / DAY_MS);
  const recency = 2 ** (-days / HALF_LIFE_DAYS);
  const confidence = fadedConfidence(memory.confidence, memory.lastUsedAt, now);
  return (
    fused * (1 + TAGS_WEIGHT * shared) * (1 + RECENCY_WEIGHT * recency) * (1 + CONFIDENCE_WEIGHT * (2 * confidence - 1))
  );
}

/** Words that say nothing about what a text is about. */
const EMPTY_WORDS = new Set(
  (
    "a about after again all also am an and any are as at be because been before being both but by can could did do does " +
    "doing down during each else few for from further get gets had has have having he her here hers him his how i if in into is it its " +
    "just know let like make makes may me might more most must my need needs no nor not of off on once one only or other our out over own " +
    "same she should so some such than that the their them then there these they this those through to too under until up use used uses " +
    "using very want was we were what when where whether which while who whom why will with would you your"
  ).split(" "),
);

/** The words of a text that carry meaning, in lower case and in order; `camelCase` and `snake_case` also give their parts. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [name] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const parts = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2").split("_");
    const found = parts.length > 1 ? [name.replaceAll("_", ""), ...parts] : parts;
    for (const part of found) {
      const word = part.toLowerCase();
      if (word.length > 1 && !EMPTY_WORDS.has(word)) words.push(word);
    }
  }
  return words;
}

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

type Filtered = Pick<
  MemoryEntry,
  "archived" | "type" | "agentType" | "tags" | "confidence" | "expiresAt" | "replacedBy"
>;

/** Whether a memory passes. Its `confidence` may be one of the past, which is never below today's. */
export function passes(memory: Filtered, filter: RecallFilter): boolean {
  return (
    !memory.archived &&
    memory.replacedBy === undefined &&
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
  /** What is believed too little to be used at all when left out. */
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
