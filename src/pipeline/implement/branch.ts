import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { BranchMoved, BranchPushed, PullOpened } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { type Decision, ignore } from "../runs/decision.ts";
import { voidGates } from "../runs/gates/gate-rules.ts";
import { describePull } from "./finish.ts";
import { type Implementation, isAtWork, isInRound, openGates, ownsIssue, type Working } from "./implementation.ts";
import { enter, stepOf } from "./step.ts";
import { firstOfHead, type IssueView } from "./view.ts";
import { push } from "./worked.ts";

/** The commits are on GitHub: the pull request is opened, as a draft, or the review of the new head begins. */
export function decideBranchPushed(view: IssueView, input: BranchPushed): Decision {
  const { addressed: run } = view;
  if (!run?.work) return ignore("the run has nothing to push");
  const { at, branch, headSha, movedTo } = input;
  if (movedTo !== undefined) return meetOthers(view, run, input);
  const pushed: NewEvent = { type: "branch.pushed", payload: { branch, headSha } };
  // Of a run that ended meanwhile: where its work stands.
  if (run.is === "ended") return stepOf(run, { events: [pushed] }, at);
  const isLater = run.pushed !== undefined && (run.pushed === run.work?.headSha || run.toJoin !== undefined);
  if (isLater && run.pushed !== headSha) return ignore("a later head stands there");
  const known = { ...run, branch, pushed: headSha };
  if (!run.pull) return stepOf(known, { events: [pushed], effects: [openPull(known, known)] }, at);
  if (!waitsForGitHub(run, headSha)) return stepOf(run, { events: [pushed] }, at);
  return stepOf(run, { events: [pushed, enter(run, firstOfHead(view), "the branch has a new head")], work: true }, at);
}

/** Their commits come first, ours are put on top when work goes on; a branch that they deleted is theirs to decide about. */
function meetOthers(view: IssueView, run: Implementation, { branch, headSha, movedTo, at }: BranchPushed): Decision {
  if (run.is !== "working") return ignore("the run has ended");
  if (headSha !== run.work.headSha) return ignore("a later push finds it");
  const isThere = run.pushed === headSha;
  // A push that was sent twice: the next worker looks at the branch.
  if (isThere && !(run.pull && waitsForGitHub(run, headSha))) return ignore("nothing waits for that push");
  // Nothing of this run was ever there: it is somebody else's, and stays as it is.
  if (run.branch === undefined) {
    const taken: NewEvent = { type: "branch.taken", payload: { branch } };
    return stepOf(run, { events: [taken], effects: [push({ ...run, taken: branch }, headSha)] }, at);
  }
  if (run.toJoin !== undefined && movedTo === run.pushed) return ignore("what was found is joined first");
  if (movedTo !== undefined && movedTo !== null && movedTo === run.pushed) {
    // An earlier push of Forge's own arrived while this one waited.
    const stands: NewEvent = { type: "branch.pushed", payload: { branch, headSha: movedTo } };
    return stepOf(run, { events: [stands], effects: [push(run, headSha)] }, at);
  }
  const adopted: NewEvent = { type: "branch.adopted", payload: { headSha: movedTo ?? "" } };
  if (movedTo === run.base?.sha) return stepOf(run, { events: [adopted, ...(run.stopped ? [] : [emptied(run)])] }, at);
  if (movedTo !== null) {
    // What GitHub had of ours is in theirs already, and nothing is left to be joined.
    const next = isThere ? [enter(run, firstOfHead(view), "somebody pushed to the branch")] : [];
    return stepOf(run, { events: [adopted, ...next], work: true }, at);
  }
  if (run.stopped) return stepOf(run, { events: [adopted] }, at);
  const reason = `somebody deleted the branch \`${branch}\``;
  return stepOf(run, { events: [adopted, { type: "run.stopped", payload: { reason } }] }, at);
}

/** Somebody set the branch back to where it began: there is nothing to review, and what they want with it is theirs to say. */
export function emptied({ branch }: Pick<Implementation, "branch">): NewEvent {
  const named = branch === undefined ? "the branch" : `the branch \`${branch}\``;
  const reason = `${named} was set back to where it began: push to it again, or end the work by taking off the label`;
  return { type: "run.stopped", payload: { reason } };
}

/** Whether all that is missing before the review is that GitHub has the work. */
function waitsForGitHub(run: Implementation, headSha: string): boolean {
  return isAtWork(run) && run.phase === "implementation" && run.roundDone && headSha === run.work?.headSha;
}

/** Opens the pull request from the branch as it stands. The key names the decision: what GitHub refused once may be wanted again. */
export function openPull(
  run: Working,
  { branch, pushed }: { readonly branch: string; readonly pushed: string },
): Effect {
  return {
    kind: "pull.open",
    key: effectKey("pull.open", subjectKey(run.subject), "", run.runId, `${branch}.${run.version}`),
    payload: { branch, baseRef: run.base.ref, headSha: pushed, description: describePull(run) },
  };
}

/** The pull request is there: its review begins, unless the run stands still. */
export function decidePullOpened(view: IssueView, input: PullOpened): Decision {
  const { addressed: run } = view;
  if (run?.branch === undefined) return ignore("the run has no branch");
  const { at, number, headSha } = input;
  if (run.pull) return ignore("the pull request is known");
  const opened: NewEvent = { type: "pull.opened", payload: { number, headSha } };
  if (run.pushed === undefined || !waitsForGitHub(run, run.pushed)) return stepOf(run, { events: [opened] }, at);
  const next = enter(run, firstOfHead(view), "the pull request is open");
  return stepOf(run, { events: [opened, next], work: true }, at);
}

/**
 * A person pushed to the branch: their commits are part of the work from here on, and the new head is reviewed and tested like ours. What was
 * asked about the old head is void (GH-14a). While the implementer works the push at the end of its round finds them.
 */
export function decideBranchMoved(view: IssueView, input: BranchMoved): Decision {
  const { active: run } = view;
  if (!ownsIssue(run) || !run.work || !run.pull) return ignore("no run with a branch is active here");
  const { at, by, headSha, looked = false } = input;
  if (headSha === run.pushed || (!looked && run.heads.includes(headSha))) return ignore("that head is known");
  if (isInRound(run) || run.pushed !== run.work.headSha) return ignore("the next push finds it");
  const adopted: NewEvent = { type: "branch.adopted", payload: { headSha }, actor: by };
  const voided = voidGates(run, openGates(run), headSha);
  const { stopped } = run;
  if (headSha === run.base?.sha) {
    return stepOf(run, { events: [...voided, adopted, ...(stopped ? [] : [emptied(run)])] }, at);
  }
  // What a person stopped, or a limit, goes on when somebody says so; what Forge could not do may have been done by that push.
  const staysStopped = stopped !== undefined && (stopped.by !== undefined || stopped.limit !== undefined);
  if (staysStopped || run.phase === "planning") return stepOf(run, { events: [...voided, adopted] }, at);
  const reason = `${by.kind === "forge" ? "somebody" : by.login} pushed to the branch`;
  const resumed: NewEvent = { type: "run.resumed", payload: { attempt: 1, reason }, actor: by };
  const events = [...voided, adopted, ...(stopped ? [resumed] : []), enter(run, firstOfHead(view), reason)];
  return stepOf(run, { events, work: true }, at);
}
