import { isDeepStrictEqual } from "node:util";
import type { Phase } from "../../domain/phases.ts";

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
  /** Results of phases so far, by name. */
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

export interface CheckpointDifference {
  /** In the second and not in the first, each as often as that is so. */
  readonly phasesEntered: readonly Phase[];
  readonly phasesCompleted: readonly Phase[];
  readonly keysAdded: readonly string[];
  readonly keysRemoved: readonly string[];
  readonly keysChanged: readonly string[];
  /** Second less first, in USD. */
  readonly costUsd: number;
  readonly tokens: number;
}

/** The differences of the second checkpoint from the first (PIPE-6). */
export function compareCheckpoints(first: RunCheckpoint, second: RunCheckpoint): CheckpointDifference {
  const before = Object.keys(first.outputs);
  const after = Object.keys(second.outputs);
  return {
    phasesEntered: added(first.phasesEntered, second.phasesEntered),
    phasesCompleted: added(first.phasesCompleted, second.phasesCompleted),
    keysAdded: after.filter((key) => !before.includes(key)),
    keysRemoved: before.filter((key) => !after.includes(key)),
    keysChanged: after.filter(
      (key) => before.includes(key) && !isDeepStrictEqual(first.outputs[key], second.outputs[key]),
    ),
    costUsd: second.costUsd - first.costUsd,
    tokens: second.tokens - first.tokens,
  };
}

function added(before: readonly Phase[], after: readonly Phase[]): Phase[] {
  const left = [...before];
  return after.filter((phase) => {
    const at = left.indexOf(phase);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
