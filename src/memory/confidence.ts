import type { MemoryOrigin, MemoryUse } from "../domain/memories.ts";
import type { MemoryChange } from "../store/memories/write-memories.ts";

/** What a memory is believed at first, by who it comes from (MEM-3). */
export const FIRST_CONFIDENCE: Readonly<Record<MemoryOrigin, number>> = { model: 0.5, person: 0.7, outcome: 0.9 };

/** What using a memory changes: it was applied with success, a person confirmed it, a person dismissed what rested on it. */
const CONFIDENCE_CHANGE: Readonly<Record<MemoryUse, number>> = { applied: 0.1, confirmed: 0.2, dismissed: -0.2 };

/** What a whole week without use costs. */
export const FADING_PER_WEEK = 0.05;

/**
 * How far memories are believed changes by what came of them (MEM-3): for a decision that says so in the log, in the same transaction. Each
 * `cause` counts once for each memory, however often it is told.
 */
export function confidenceChange({
  memoryIds,
  use,
  cause,
}: {
  readonly memoryIds: readonly string[];
  readonly use: MemoryUse;
  readonly cause: string;
}): MemoryChange {
  return { kind: "confidence", ids: memoryIds, by: CONFIDENCE_CHANGE[use], perWeek: FADING_PER_WEEK, cause };
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** The confidence today of what was `confidence` when it was last used; 0 to 1. Moments are ISO 8601. */
export function fadedConfidence(confidence: number, lastUsedAt: string, now: string): number {
  const weeks = Math.max(0, Math.floor((Date.parse(now) - Date.parse(lastUsedAt)) / WEEK_MS));
  return rounded(Math.max(0, confidence - FADING_PER_WEEK * weeks));
}

/** To four digits, as the database keeps it: 0.1 and 0.2 are to make 0.3. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
