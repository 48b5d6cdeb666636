import type { Command } from "../../../domain/commands.ts";
import type { PauseScope } from "../../../domain/event-catalogue.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { applyEffects, type Decision, NOTHING, type SubjectView } from "../../runs/decision.ts";
import { decideHead } from "../decide-head.ts";
import { isActive } from "../run-state.ts";
import { skipRun } from "../skip-run.ts";
import { reviewOf } from "./give-review.ts";

type Pausing = Extract<Command, { name: "pause" | "unpause" }>;

/** `/forge pause`: Forge stays quiet here from now on; what is at work is left out at once. Said twice it changes nothing. */
export function givePause(view: SubjectView, input: CommandGiven, command: Pausing): Outcome {
  const scope = command.repository ? "repository" : "subject";
  const standing = scope === "subject" ? view.facts.pause : view.repository.pause;
  if (standing) return {};
  return {
    events: [{ type: "subject.paused", payload: { scope }, actor: input.by }],
    decision: leaveOutActive(view, input, scope),
  };
}

/** `/forge unpause`: and the head that was left out meanwhile gets its review. */
export function giveUnpause(view: SubjectView, input: CommandGiven, command: Pausing): Outcome {
  const scope = command.repository ? "repository" : "subject";
  const { pause: here } = view.facts;
  const { pause: everywhere } = view.repository;
  const [ended, other] = scope === "subject" ? [here, everywhere] : [everywhere, here];
  if (!ended) return refuse(other ? { reason: "paused", ...other } : { reason: "not_paused", scope });
  const goesOn = !other && input.pull.open;
  return {
    events: [{ type: "subject.unpaused", payload: { scope }, actor: input.by }],
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
