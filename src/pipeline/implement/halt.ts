import type { NewEvent } from "../../domain/events.ts";
import type { EffectFailed, SubjectGone, WorkFailed, WorkParked, WorkSuspended } from "../../domain/inputs.ts";
import { type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { mayAsk } from "../runs/definition.ts";
import { failureOf } from "../runs/effects/effect-input.ts";
import { askPerson } from "./ask-person.ts";
import { isAtWork, isLooked, ownsIssue } from "./implementation.ts";
import { stepOf } from "./step.ts";
import type { IssueView } from "./view.ts";

/** An agent cannot go on without a person: the question becomes a gate, and no worker has the run meanwhile (LOOP-15, PIPE-8). */
export function decideSuspended(view: IssueView, { question, needs, at }: WorkSuspended): Decision {
  const run = view.addressed;
  if (!run || !isLooked(run) || !isAtWork(run)) return ignore("the run is not at work");
  if (!mayAsk(view.pipeline, run.phase, question.type)) return ignore(`nobody asks that in ${run.phase}`);
  return stepOf(run, askPerson(view, run, question, at, needs), at);
}

/** The model's provider wants to be asked later; the job goes on then. */
export function decideParked({ addressed: run }: IssueView, { until, message, at }: WorkParked): Decision {
  if (!ownsIssue(run)) return ignore("the run has ended");
  return stepOf(run, { events: [{ type: "review.parked", payload: { until, message } }] }, at);
}

/** The work failed: it is tried again, or the run ends and says so. */
export function decideFailed({ addressed: run }: IssueView, { error, attempts, final, at }: WorkFailed): Decision {
  if (!ownsIssue(run)) return ignore("the run has ended");
  const event: NewEvent = final
    ? { type: "run.failed", payload: { error, attempts } }
    : { type: "error.occurred", payload: { error, during: run.phase ?? "work" } };
  return stepOf(run, { events: [event] }, at);
}

/** GitHub does not take something: without its branch or pull request a run cannot go on; all else is noted. */
export function decideEffectFailed({ addressed: run, facts }: IssueView, input: EffectFailed): Decision {
  const { error, effect, at, runId } = input;
  const escalated: NewEvent = { type: "error.escalated", payload: failureOf(input) };
  if (!run) return { ...NOTHING, appends: [{ runId, expectedVersion: facts.version, events: [escalated] }] };
  const isNeeded = effect.kind === "branch.push" || effect.kind === "pull.open";
  if (!isNeeded || !ownsIssue(run) || run.stopped) return stepOf(run, { events: [escalated] }, at);
  return stepOf(run, { events: [escalated, { type: "run.stopped", payload: { reason: error.message } }] }, at);
}

/** Nothing can be written there any more: no effect is planned. */
export function decideGone({ active: run }: IssueView, { reason }: SubjectGone): Decision {
  if (!ownsIssue(run)) return ignore("no run is active here");
  const cancelled: NewEvent = { type: "run.cancelled", payload: { reason } };
  return {
    ...NOTHING,
    appends: [{ runId: run.runId, expectedVersion: run.version, events: [cancelled] }],
    cancelJobsOfRuns: [run.runId],
  };
}
