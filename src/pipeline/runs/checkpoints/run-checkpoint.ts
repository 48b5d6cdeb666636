import type { Phase } from "../../../domain/phases.ts";

/** A point of a run that the log and the steps of its agents tell of (PIPE-6). Nothing of it is stored beside them. */
export interface RunCheckpoint {
  /** `v12`: after the twelfth event of the log. `implementer/1#3`: after the third step of that agent. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Events of the log up to here. */
  readonly version: number;
  /** Why there is one, such as `phase.entered` or `step 3 of implementer/1`. */
  readonly reason: string;
  readonly phase?: Phase;
  readonly agent?: string;
  /** Of the agent's state; undefined where there is none, or none that names one. */
  readonly schemaVersion?: number;
  /** What phases came to so far, by name. */
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly phasesEntered: readonly Phase[];
  readonly phasesCompleted: readonly Phase[];
  /** How often the run was sent back, by cause. */
  readonly bounces: Readonly<Record<string, number>>;
  /** Up to here, in USD; what calls without a phase cost is under `other`. */
  readonly costByPhase: Readonly<Record<string, number>>;
  readonly costUsd: number;
  readonly tokens: number;
  /** Why a run cannot be taken back to here, in words that follow "because"; undefined where it can. */
  readonly notRestorable?: string;
}
