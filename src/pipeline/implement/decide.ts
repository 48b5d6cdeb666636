import { isOpenGate } from "../../domain/gates.ts";
import type { CommentGiven, CommonInput, IssueInput } from "../../domain/inputs.ts";
import { takeComment, voidComment } from "../commands/acknowledge.ts";
import { decideIssueCommand } from "../commands/decide-command.ts";
import { type Decision, NOTHING } from "../runs/decision.ts";
import { voidGatesOfEnded } from "../runs/gates/gate-rules.ts";
import { shownGate } from "./ask-person.ts";
import { decideBranchMoved, decideBranchPushed, decidePullOpened } from "./branch.ts";
import { decideEffectFailed, decideFailed, decideGone, decideParked, decideSuspended } from "./halt.ts";
import { decideIssueEnded, decideProgressed, decidePullEnded } from "./observe.ts";
import { decidePlanMade, decideUnnecessary } from "./plan.ts";
import { decideSignalled, decideSignalRead } from "./signals.ts";
import { withStatus } from "./status-of.ts";
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
    case "comment.given":
      return takeIssueComment(view, input);
    case "commands.void":
      return voidComment(view.facts, input);
    case "command.given":
      return decideIssueCommand(view, input);
    default:
      input satisfies never;
      return NOTHING;
  }
}

/** A comment on an issue: commands, or words that may answer an open question. */
function takeIssueComment(view: IssueView, input: CommentGiven): Decision {
  const { talk = false } = input;
  const asks = view.gates.some((gate) => gate.question.type === "question" && isOpenGate(gate));
  const ignored = talk && !asks ? "no question is open" : undefined;
  return takeComment(view.facts, { ...input, plain: false }, { ignored, quiet: talk });
}
