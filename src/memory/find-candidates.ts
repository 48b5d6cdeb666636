import { findMemoryWords } from "../store/find-memory-words.ts";
import type { StoredMemory } from "../store/memory-row.ts";
import { readMemories } from "../store/read-memories.ts";
import type { Store } from "../store/store.ts";
import type { Embedder } from "./ports.ts";
import { fuseRanks } from "./rank.ts";
import { passes, type RecallFilter, scopesOf } from "./recall-filter.ts";
import type { RecallQuestion } from "./recall-question.ts";
import type { Near, ScopeVectors } from "./scope-vectors.ts";
import type { VectorCache } from "./vector-cache.ts";
import { wordsOf } from "./words-of.ts";

/** How many of each list are fused: what stands further down in both cannot come up to the first ten. */
const LIST_LENGTH = 60;
/** Asked of the words, as the filter is not known there. */
const WORDS_LENGTH = 200;
const WORDS_OF_QUESTION = 32;

interface Candidate {
  readonly memory: StoredMemory;
  /** 0 to 1. */
  readonly fused: number;
  readonly similarity: number;
}

interface Powers {
  readonly store: Store;
  readonly embedder: Embedder;
  readonly vectors: VectorCache;
}

/** What a question finds by words and by vectors, fused, in no order; `wordsOnly` when the vectors could not be asked. */
export async function findCandidates(
  powers: Powers,
  question: RecallQuestion & { readonly filter: RecallFilter },
): Promise<{ readonly candidates: Candidate[]; readonly wordsOnly: boolean }> {
  const { filter, signal } = question;
  const scopes = scopesOf(question.scope);
  if (filter.types.length === 0) return { candidates: [], wordsOnly: false };
  const words = [...new Set(wordsOf(question.text))].slice(0, WORDS_OF_QUESTION);
  const [vector] = await powers.embedder.embed([question.text], signal).catch(() => []);
  const indexes: ScopeVectors[] = [];
  for (const scope of vector === undefined ? [] : scopes) {
    const index = await powers.vectors.vectorsOf(scope);
    if (index !== undefined) indexes.push(index);
  }
  const wordsOnly = vector === undefined || indexes.length < scopes.length;
  const near = vector === undefined ? [] : await nearestOf(indexes, vector, filter);

  const asked = await findMemoryWords(powers.store, { scopes, types: filter.types, words, limit: WORDS_LENGTH });
  const byWords = asked.filter((sequence) => mayPass(indexes, sequence, filter)).slice(0, LIST_LENGTH);
  const least = question.minimumSimilarity ?? powers.embedder.noise;
  const byVector = near.filter(({ similarity }) => similarity >= least).map(({ sequence }) => sequence);

  const fused = fuseRanks(byWords, byVector);
  const memories = await readMemories(powers.store, [...fused.keys()]);
  const candidates = memories.map((memory) => ({
    memory,
    fused: fused.get(memory.sequence)!,
    similarity: similarityOf(memory, vector, powers.embedder.method),
  }));
  const { minimumSimilarity = -1 } = question;
  return { candidates: candidates.filter(({ similarity }) => similarity >= minimumSimilarity), wordsOnly };
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
  for (const index of indexes) {
    const facts = index.factsOf(sequence);
    if (facts !== undefined) return passes(facts, filter);
  }
  return true;
}

function similarityOf({ embedding }: StoredMemory, vector: Float32Array | undefined, method: string): number {
  if (vector === undefined || embedding?.method !== method || embedding.vector.length !== vector.length) return 0;
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += vector[at]! * embedding.vector[at]!;
  return sum;
}
