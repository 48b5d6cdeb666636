import type { StoredMemory } from "../store/memory-row.ts";
import { fadedConfidence } from "./confidence.ts";

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
