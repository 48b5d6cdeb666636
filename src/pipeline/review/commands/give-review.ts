import type { Answer } from "../../../domain/answers.ts";
import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { PauseScope } from "../../../domain/event-catalogue.ts";
import type { CommandGiven, HeadChanged } from "../../../domain/inputs.ts";
import { type Outcome, refuse, requestOf } from "../../commands/command-result.ts";
import { pause, unpause } from "../../commands/shared-commands.ts";
import { applyEffects, type Decision, NOTHING } from "../../runs/decision.ts";
import { PIPELINES } from "../../runs/definition.ts";
import { brokenRunLimit } from "../../runs/run-limits.ts";
import { decideHead } from "../decide-head.ts";
import { skipRun } from "../end-events.ts";
import { isActive, waitsAtGate } from "../run-state.ts";
import type { SubjectView } from "../view.ts";
import { tellStatus } from "./tell.ts";

/** `/forge review`: the head is looked at again, also a draft or what the configuration leaves out; with `--full` also where Forge is paused. */
export function giveReview(
  view: SubjectView,
  input: CommandGiven,
  { full }: Extract<Command, { name: "review" }>,
): Outcome {
  if (!input.pull.open) return refuse({ reason: "closed" });
  const pause = view.facts.pause ?? view.repository.pause;
  if (pause && !full) return refuse({ reason: "paused", by: pause.by, scope: pause.scope });
  const { active } = view;
  if (isActive(active) && active.ends.headSha === input.pull.ends.headSha && !full) {
    // What it waits for is an answer, not another command.
    return waitsAtGate(active) ? { answer: tellStatus(view, input) } : {};
  }
  const limit = brokenRunLimit(view.recent, input, PIPELINES.review.limits);
  if (limit) return refuse({ reason: "run_limit", limit });
  return { decision: decideHead(view, reviewOf(input, { automatic: false, full })) };
}

/** A command as the request for a review of the head that the pull request has now. */
export function reviewOf(
  input: CommandGiven,
  how: { readonly automatic: boolean; readonly full: boolean },
): HeadChanged {
  const { subject, at, newRunId, by, pull } = input;
  const { automatic, full } = how;
  return {
    type: "head.changed",
    subject,
    at,
    newRunId,
    by,
    request: { id: requestOf(input), reason: "commanded", automatic, ...defined({ full: full || undefined }) },
    ends: pull.ends,
    title: pull.title,
    debounceMs: 0,
  };
}

/**
 * `/forge trust`: the AI layer may look at this change and what is pushed to it later, although its author cannot push here (GH-8c). Where it
 * waited for that on the newest head, the head is reviewed anew.
 */
export function giveTrust(view: SubjectView, input: CommandGiven): Outcome {
  const events = view.facts.trusted ? [] : [{ type: "subject.trusted", payload: {}, actor: input.by } as const];
  const because = reasonNotToReview(view, input);
  return because
    ? { events, answer: { kind: "trusted", because } }
    : { events, decision: decideHead(view, reviewOf(input, { automatic: false, full: false })) };
}

/** `/forge untrust`: from the next review on the AI layer waits again. */
export function giveUntrust(view: SubjectView, input: CommandGiven): Outcome {
  if (!view.facts.trusted) return refuse({ reason: "not_trusted" });
  return { events: [{ type: "subject.untrusted", payload: {}, actor: input.by }] };
}

function reasonNotToReview(
  { active, latest, facts, repository, recent }: SubjectView,
  input: CommandGiven,
): Extract<Answer, { kind: "trusted" }>["because"] | undefined {
  const { pull } = input;
  if (!pull.open) return "closed";
  if (isActive(active)) return "at_work";
  const review = latest && "review" in latest ? latest.review : undefined;
  const waits = review?.coverage.layers.some(({ layer, state }) => layer === "ai" && state === "waiting");
  if (!waits || latest?.ends.headSha !== pull.ends.headSha) return "not_waiting";
  if (facts.pause || repository.pause) return "paused";
  return brokenRunLimit(recent, input, PIPELINES.review.limits) ? "limit" : undefined;
}

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
