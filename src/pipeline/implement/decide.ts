import type { NewEvent } from "../../domain/events.ts";
import { isOpenGate } from "../../domain/gates.ts";
import type {
  CommonInput,
  EffectFailed,
  IssueInput,
  RequestMade,
  SubjectGone,
  WorkFailed,
  WorkParked,
  WorkSuspended,
} from "../../domain/inputs.ts";
import { sayUnwritten, takeComment, voidComment } from "../commands/acknowledge.ts";
import { decideCommand } from "../commands/decide-command.ts";
import { both, type Decision, decideLearnt, decideTraced, ignore, NOTHING } from "../runs/decision.ts";
import { mayAsk } from "../runs/definition.ts";
import { failureOf } from "../runs/effects/effect-input.ts";
import { voidGatesOfEnded } from "../runs/gates/gate-rules.ts";
import { misdirected } from "../runs/kind.ts";
import { askPerson, shownGate } from "./ask-person.ts";
import { decideBranchMoved, decideBranchPushed, decidePullOpened } from "./branch.ts";
import { ON_ISSUE } from "./commands/on-issue.ts";
import { isAtWork, isLooked, ownsIssue } from "./implementation.ts";
import { decideIssueEnded, decideProgressed, decidePullEnded, decideReleased, decideReleaseMoved } from "./observe.ts";
import { decidePlanMade, decideUnnecessary } from "./plan.ts";
import { decideSignalled, decideSignalRead } from "./signals.ts";
import { withStatus } from "./status-of.ts";
import { stepOf } from "./step.ts";
import { decideIssueObserved } from "./take-up.ts";
import { decidePhaseFinished, decideTested } from "./verdicts.ts";
import type { IssueView } from "./view.ts";
import { decideHalted, decideTaskDone, decideWorkFinished } from "./worked.ts";

/**
 * What follows from an input on an issue (PIPE-2). Pure: no clock, no I/O, no randomness; time and ids come with the input, facts with the
 * view.
 */
export function decideIssue(view: IssueView, input: IssueInput | CommonInput): Decision {
  const runs = [view.active, view.addressed, view.latest];
  let decision = answerTo(view, input);
  decision = voidGatesOfEnded(decision, input, runs, (run, gate) => {
    return { headSha: "", effects: shownGate(run, gate) };
  });
  return withStatus(view, decision, input);
}

/** What the input itself comes to; what follows from any such decision stands in `decideIssue`. */
function answerTo(view: IssueView, input: IssueInput | CommonInput): Decision {
  switch (input.type) {
    case "issue.ended":
      return decideIssueEnded(view, input);
    case "work.observed":
      return decideIssueObserved(view, input);
    case "plan.made":
      return decidePlanMade(view, input);
    case "work.unnecessary":
      return decideUnnecessary(view, input);
    case "task.done":
      return decideTaskDone(view, input);
    case "work.finished":
      return decideWorkFinished(view, input);
    case "tests.finished":
      return decideTested(view, input);
    case "phase.finished":
      return decidePhaseFinished(view, input);
    case "work.suspended":
      return decideSuspended(view, input);
    case "work.parked":
      return decideParked(view, input);
    case "work.progressed":
      return decideProgressed(view, input);
    case "work.halted":
      return decideHalted(view, input);
    case "work.failed":
      return decideFailed(view, input);
    case "release.moved":
      return decideReleaseMoved(view, input);
    case "work.released":
      return decideReleased(view, input);
    case "branch.pushed":
      return decideBranchPushed(view, input);
    case "branch.moved":
      return decideBranchMoved(view, input);
    case "pull.opened":
      return decidePullOpened(view, input);
    case "pull.ended":
      return decidePullEnded(view, input);
    case "pull.signalled":
      return decideSignalled(view, input);
    case "signal.read":
      return decideSignalRead(view, input);
    case "subject.gone":
      return decideGone(view, input);
    case "effect.failed":
      return decideEffectFailed(view, input);
    case "request.made":
      return takeIssueComment(view, input);
    case "commands.void":
      return voidComment(view.facts, input);
    case "learning.observed":
      return decideLearnt(view, input);
    case "production.traced":
      return decideTraced(view, input);
    case "command.given":
      return decideCommand(view, input, ON_ISSUE);
    default:
      return misdirected(input);
  }
}

/** A comment on an issue: commands, or words that may answer an open question. */
function takeIssueComment(view: IssueView, input: RequestMade): Decision {
  const { talk = false } = input;
  const asks = view.gates.some((gate) => gate.question.type === "question" && isOpenGate(gate));
  const ignored = talk && !asks ? "no question is open" : undefined;
  return takeComment(view.facts, { ...input, plain: false }, { ignored, quiet: talk });
}

/** An agent cannot go on without a person: the question becomes a gate, and no worker has the run meanwhile (LOOP-15, PIPE-8). */
function decideSuspended(view: IssueView, { question, needs, at }: WorkSuspended): Decision {
  const run = view.addressed;
  if (!run || !isLooked(run) || !isAtWork(run)) return ignore("the run is not at work");
  if (!mayAsk(view.pipeline, run.phase, question.type)) return ignore(`nobody asks that in ${run.phase}`);
  return stepOf(run, askPerson(view, run, question, at, needs), at);
}

/** The model's provider wants to be asked later; the job goes on then. */
function decideParked({ addressed: run }: IssueView, { until, message, at }: WorkParked): Decision {
  if (!ownsIssue(run)) return ignore("the run has ended");
  return stepOf(run, { events: [{ type: "review.parked", payload: { until, message } }] }, at);
}

/** The work failed: it is tried again, or the run ends and says so. */
function decideFailed({ addressed: run }: IssueView, { error, attempts, final, at }: WorkFailed): Decision {
  if (!ownsIssue(run)) return ignore("the run has ended");
  const event: NewEvent = final
    ? { type: "run.failed", payload: { error, attempts } }
    : { type: "error.occurred", payload: { error, during: run.phase ?? "work" } };
  return stepOf(run, { events: [event] }, at);
}

/** GitHub does not take something: without its branch or pull request a run cannot go on; all else is noted. */
function decideEffectFailed({ addressed: run, facts }: IssueView, input: EffectFailed): Decision {
  const { error, effect, at, runId } = input;
  const escalated: NewEvent = { type: "error.escalated", payload: failureOf(input) };
  const noted = { ...NOTHING, appends: [{ runId, expectedVersion: facts.version, events: [escalated] }] };
  if (!run) return both(noted, sayUnwritten(input));
  const isNeeded = effect.kind === "branch.push" || effect.kind === "pull.open";
  if (!isNeeded) return both(stepOf(run, { events: [escalated] }, at), sayUnwritten(input));
  if (!ownsIssue(run) || run.stopped) return stepOf(run, { events: [escalated] }, at);
  return stepOf(run, { events: [escalated, { type: "run.stopped", payload: { reason: error.message } }] }, at);
}

/** Nothing can be written there any more: no effect is planned. */
function decideGone({ active: run }: IssueView, { reason }: SubjectGone): Decision {
  if (!ownsIssue(run)) return ignore("no run is active here");
  const cancelled: NewEvent = { type: "run.cancelled", payload: { reason } };
  return {
    ...NOTHING,
    appends: [{ runId: run.runId, expectedVersion: run.version, events: [cancelled] }],
    cancelJobsOfRuns: [run.runId],
  };
}
