import type { Phase } from "../domain/phases.ts";

/** Limits of one phase of a run. */
export interface PhaseLimits {
  /** Exactly so many calls of a model (LOOP-20). */
  readonly iterations: number;
  readonly usd: number;
  /** Working time; waiting for people does not count. */
  readonly ms: number;
}

const MINUTE = 60_000;

/** As shipped (SAFE-1, LOOP-20); the configuration of a repository may give others. */
export const PHASE_LIMITS: Readonly<Record<Phase, PhaseLimits>> = {
  planning: { iterations: 20, usd: 5, ms: 30 * MINUTE },
  implementation: { iterations: 50, usd: 10, ms: 60 * MINUTE },
  review: { iterations: 10, usd: 2, ms: 30 * MINUTE },
  testing: { iterations: 5, usd: 3, ms: 20 * MINUTE },
  deployment: { iterations: 3, usd: 2, ms: 15 * MINUTE },
  monitoring: { iterations: 10, usd: 2, ms: 15 * MINUTE },
};

/** Limits above the phase; `dayUsd` is for all runs of this Forge in a day (UTC) together. */
export const RUN_LIMITS = { usd: 50, ms: 120 * MINUTE, dayUsd: 200 } as const;
