import type { Effect } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { CommonInput, IssueInput } from "../../domain/inputs.ts";
import { voidComment } from "../review/commands/decide-comment.ts";
import { type Decision, NOTHING } from "../runs/decision.ts";
import { shownGate } from "./ask-person.ts";
import { decideBranchMoved, decideBranchPushed, decidePullOpened } from "./branch.ts";
import { decideIssueCommand } from "./commands/decide-issue-command.ts";
import { takeIssueComment } from "./commands/take-issue-comment.ts";
import { decideEffectFailed, decideFailed, decideGone, decideParked, decideSuspended } from "./halt.ts";
import { type Implementation, openGates } from "./implementation.ts";
import { decideIssueEnded, decideObserved, decidePullEnded } from "./observe.ts";
import { decidePlanMade, decideUnnecessary } from "./plan.ts";
import { decideSignalled, decideSignalRead } from "./signals.ts";
import { voidGates } from "./step.ts";
import { decideReviewed, decideTested } from "./verdicts.ts";
import { type IssueView, runOf } from "./view.ts";
import { withStatus } from "./with-status.ts";
import { decideHalted, decideTaskDone, decideWorkFinished } from "./worked.ts";

/**
 * What follows from an input on an issue (PIPE-2). Pure: no clock, no I/O, no randomness; time and ids come with the input, facts with the
 * view.
 */
export function decideIssue(view: IssueView, input: IssueInput | CommonInput): Decision {
  const decision = decideAlone(view, input);
  return input.type === "subject.gone" ? decision : withStatus(view, withVoidedGates(view, decision), input);
}

function decideAlone(view: IssueView, input: IssueInput | CommonInput): Decision {
  switch (input.type) {
    case "issue.ended":
      return decideIssueEnded(view, input);
    case "work.observed":
      return decideObserved(view, input);
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
    case "pull.reviewed":
      return decideReviewed(view, input);
    case "work.suspended":
      return decideSuspended(view, input);
    case "work.parked":
      return decideParked(view, input);
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
      return voidComment(view, input);
    case "command.given":
      return decideIssueCommand(view, input);
    default:
      input satisfies never;
      return NOTHING;
  }
}

const ENDS: ReadonlySet<string> = new Set(["run.completed", "run.failed", "run.cancelled", "run.stopped"]);

/** Whatever ends or stops a run voids its open gates, and the comments of all that are void say so: an answer would answer nothing (GH-14a). */
function withVoidedGates(view: IssueView, decision: Decision): Decision {
  const shown: Effect[] = [];
  const appends = decision.appends.map((append) => {
    const run = runOf(view, append.runId);
    if (!run) return append;
    const events = voidAtEnd(run, append.events);
    for (const { type, payload } of events) {
      if (type !== "gate.voided") continue;
      const open = openGates(run).find(({ gate }) => gate === payload.gate);
      const { gate: _id, ...byHead } = payload;
      // Without a time: the comment of a gate that is void does not say when.
      if (open) shown.push(...shownGate(run, { ...open, standing: { is: "voided", at: open.deadline, ...byHead } }));
    }
    return { ...append, events };
  });
  const [first] = decision.appends;
  if (shown.length === 0 || !first) return { ...decision, appends };
  return { ...decision, appends, effects: [...decision.effects, { runId: first.runId, headSha: "", effects: shown }] };
}

function voidAtEnd(run: Implementation, events: NewEvent[]): NewEvent[] {
  const end = events.findIndex(({ type }) => ENDS.has(type));
  if (end === -1) return events;
  const settled = new Set(events.flatMap(({ payload }) => ("gate" in payload ? [payload.gate] : [])));
  const open = openGates(run).filter(({ gate }) => !settled.has(gate));
  return [...events.slice(0, end), ...voidGates(open), ...events.slice(end)];
}
