import type { Observation } from "../domain/findings.ts";

/**
 * What analysers said about files before, so that a push costs only the files that it touches. An entry holds observations and never
 * text of the repository; a missing or unreadable one is an ordinary answer, and nothing here throws.
 */
export interface AnalysisCache {
  get(key: string): Promise<readonly Observation[] | undefined>;
  put(key: string, observations: readonly Observation[]): Promise<void>;
}

export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}
