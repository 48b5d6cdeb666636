import { ForgeError } from "../../domain/errors.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { Phase } from "../../domain/phases.ts";
import { type Guard, guardsOf, type PipelineDefinition } from "../runs/definition.ts";
import { isReviewed } from "./approvals.ts";
import { evolveImplementation } from "./evolve.ts";
import { headOf, type Implementation, isInRound } from "./implementation.ts";

/** A guard that does not hold, with why, in words that follow "because". */
export interface FailedGuard {
  readonly guard: Guard;
  readonly why: string;
}

type Condition = readonly [holds: (run: Implementation) => boolean, why: string];

const CONDITIONS: Readonly<Record<Guard, Condition>> = {
  plan_accepted: [({ plan }) => plan?.accepted === true, "there is no plan that was accepted"],
  changes_made: [(run) => run.work !== undefined && headOf(run) !== run.base?.sha, "nothing was changed yet"],
  pull_open: [({ pull }) => pull !== undefined, "there is no pull request yet"],
  work_pushed: [
    (run) => !isInRound(run) && run.toJoin === undefined && run.pushed === run.work?.headSha,
    "the work is not on its branch yet",
  ],
  pull_merged: [({ mergedAt }) => mergedAt !== undefined, "its pull request is not merged"],
  head_reviewed: [isReviewed, "its head was not reviewed, or something blocks"],
};

/** The first guard of a phase that does not hold in this state (PIPE-4). */
export function failedGuard(run: Implementation, phase: Phase, pipeline: PipelineDefinition): FailedGuard | undefined {
  const guard = guardsOf(pipeline, phase).find((one) => !CONDITIONS[one][0](run));
  return guard && { guard, why: CONDITIONS[guard][1] };
}

/**
 * Follows a run through events that were decided on, and lets nothing enter a phase whose guards do not hold: deciders ask `failedGuard`
 * first, and a mistake in that shall not reach the log.
 * @throws ForgeError `guard_failed`
 */
export function followGuarded(
  before: Implementation | undefined,
  events: readonly PlacedEvent[],
  pipeline: PipelineDefinition,
): Implementation | undefined {
  return events.reduce<Implementation | undefined>((state, event) => {
    if (!state && event.type !== "run.started") return state;
    if (state && event.type === "phase.entered" && !("ends" in event.payload))
      require(state, event.payload.phase, pipeline);
    return evolveImplementation(state, event);
  }, before);
}

function require(run: Implementation, phase: Phase, pipeline: PipelineDefinition): void {
  const failed = failedGuard(run, phase, pipeline);
  if (!failed) return;
  throw new ForgeError("guard_failed", `The phase ${phase} cannot begin, because ${failed.why}.`, {
    source: "logic",
    recoverability: "none",
    context: { phase, guard: failed.guard, runId: run.runId },
  });
}
