import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { BranchMoved, BranchPushed, PullOpened } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { type Decision, ignore } from "../decision.ts";
import { describePull } from "./describe-pull.ts";
import { type Implementation, isAtWork, openGates, ownsIssue } from "./implementation.ts";
import { enter, stepOf } from "./step.ts";
import type { IssueView } from "./view.ts";

/** The commits are on GitHub: the pull request is opened, as a draft, or the review of the new head begins. */
export function decideBranchPushed({ addressed: run }: IssueView, input: BranchPushed): Decision {
  if (!ownsIssue(run)) return ignore("the run has ended");
  const { at, branch, headSha, movedTo } = input;
  if (movedTo !== undefined && movedTo !== null) {
    // Their commits come first: ours are put on top by whoever goes on.
    return stepOf(run, { events: [{ type: "branch.adopted", payload: { headSha: movedTo } }], work: true }, at);
  }
  const pushed: NewEvent = { type: "branch.pushed", payload: { branch, headSha } };
  const known: Implementation = { ...run, branch, pushed: headSha };
  if (!run.pull) return stepOf(known, { events: [pushed], effects: [openPull(known)] }, at);
  if (!isAtWork(run) || headSha !== run.work?.headSha) return stepOf(run, { events: [pushed] }, at);
  return stepOf(run, { events: [pushed, enter(run, "review", "the branch has a new head")], work: true }, at);
}

function openPull(run: Implementation): Effect {
  const { branch, base, pushed } = run;
  return {
    kind: "pull.open",
    key: effectKey("pull.open", subjectKey(run.subject), "", run.runId, branch!),
    payload: { branch: branch!, baseRef: base!.ref, headSha: pushed!, description: describePull(run) },
  };
}

/** The pull request is there: its review begins, unless the run stands still. */
export function decidePullOpened({ addressed: run }: IssueView, input: PullOpened): Decision {
  if (!ownsIssue(run)) return ignore("the run has ended");
  const { at, number, headSha } = input;
  if (run.pull) return ignore("the pull request is known");
  const opened: NewEvent = { type: "pull.opened", payload: { number, headSha } };
  if (!isAtWork(run)) return stepOf(run, { events: [opened] }, at);
  const next = enter({ ...run, pull: { number, ready: false } }, "review", "the pull request is open");
  return stepOf(run, { events: [opened, next], work: true }, at);
}

/**
 * A person pushed to the branch: their commits are part of the work from here on, and the new head is reviewed and tested like ours. What was
 * asked about the old head is void (GH-14a). While the implementer works its next push finds them.
 */
export function decideBranchMoved({ active: run }: IssueView, input: BranchMoved): Decision {
  if (!ownsIssue(run) || !run.work || !run.pull) return ignore("no run with a branch is active here");
  const { at, by, headSha } = input;
  if (headSha === run.pushed || headSha === run.work.headSha) return ignore("that head is known");
  if (run.pushed !== run.work.headSha) return ignore("the next push finds it");
  const adopted: NewEvent = { type: "branch.adopted", payload: { headSha }, actor: by };
  const voided = openGates(run).map(({ gate }): NewEvent => {
    return { type: "gate.voided", payload: { gate, byHead: headSha } };
  });
  const { stopped } = run;
  // What a person stopped, or a limit, goes on when somebody says so; what Forge could not do may have been done by that push.
  if (stopped && (stopped.by !== undefined || stopped.limit)) return stepOf(run, { events: [...voided, adopted] }, at);
  const reason = `${by.login} pushed to the branch`;
  const resumed: NewEvent = { type: "run.resumed", payload: { attempt: 1, reason }, actor: by };
  const events = [...voided, adopted, ...(stopped ? [resumed] : []), enter(run, "review", reason)];
  return stepOf(run, { events, work: true }, at);
}
