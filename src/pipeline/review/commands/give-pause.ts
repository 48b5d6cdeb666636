import type { Command } from "../../../domain/commands.ts";
import type { PauseScope } from "../../../domain/event-catalogue.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import type { Outcome } from "../../runs/commands/deed.ts";
import { pause, unpause } from "../../runs/commands/shared-commands.ts";
import { applyEffects, type Decision, NOTHING } from "../../runs/decision.ts";
import { decideHead } from "../decide-head.ts";
import { isActive } from "../run-state.ts";
import { skipRun } from "../skip-run.ts";
import type { SubjectView } from "../view.ts";
import { reviewOf } from "./give-review.ts";

type Pausing = Extract<Command, { name: "pause" | "unpause" }>;

/** `/forge pause`: what is at work is left out at once. */
export function givePause(view: SubjectView, input: CommandGiven, command: Pausing): Outcome {
  const paused = pause(view, input.by, command);
  return paused ? { events: [paused.event], decision: leaveOutActive(view, input, paused.scope) } : {};
}

/** `/forge unpause`: and the head that was left out meanwhile gets its review. */
export function giveUnpause(view: SubjectView, input: CommandGiven, command: Pausing): Outcome {
  const ended = unpause(view, input.by, command);
  if ("refusal" in ended) return ended;
  const goesOn = !ended.stays && input.pull.open;
  return {
    events: [ended.event],
    ...(goesOn ? { decision: decideHead(view, reviewOf(input, { automatic: true, full: false })) } : {}),
  };
}

function leaveOutActive({ active: run }: SubjectView, { at, by }: CommandGiven, paused: PauseScope): Decision {
  if (!isActive(run)) return NOTHING;
  const { subject, ends, request, startedAt, runId } = run;
  const { headSha } = ends;
  const skip = { subject, headSha, request, startedAt, at, reason: `paused by ${by.login}`, paused };
  const { events, effects } = skipRun(skip);
  return {
    appends: [{ runId, expectedVersion: run.version, events }],
    effects: [{ runId, headSha, effects }],
    jobs: [applyEffects(subject, at)],
    cancelJobsOfRuns: [runId],
  };
}
