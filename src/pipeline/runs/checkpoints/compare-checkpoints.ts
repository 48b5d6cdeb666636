import { isDeepStrictEqual } from "node:util";
import type { Phase } from "../../../domain/phases.ts";
import type { RunCheckpoint } from "./run-checkpoint.ts";

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

/** What the second checkpoint has, other than the first (PIPE-6). */
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
