import { FORGE } from "../../../domain/subjects.ts";
import type { PullFacts } from "../../runs/ports.ts";
import { type Implementation, isLooked } from "../implementation.ts";
import { haltWork, nameConflicts } from "./halt-work.ts";
import { openTree } from "./open-tree.ts";
import { tell, type WorkJob, type WorkPowers } from "./work-job.ts";

/**
 * Nothing is to be done for a run but to see how its pull request stands: what GitHub told may have been lost, or come in another order, and
 * the base may have moved so that both do not merge any more.
 */
export async function lookAtPull(powers: WorkPowers, job: WorkJob, run: Implementation): Promise<void> {
  const now = await seePull(powers, job, run);
  if (now?.mergeable === "conflicts") await joinBase(powers, job, run, now);
}

/** Whether the pull request and its issue are still open, and the branch where it should be; undefined where that is not so, and told. */
export async function seePull(powers: WorkPowers, job: WorkJob, run: Implementation): Promise<PullFacts | undefined> {
  const { host } = powers;
  const { pull, subject, branch } = run;
  if (!pull) return undefined;
  const now = await host.readPull(subject.repository, pull.number, job.signal);
  if (!now) {
    await tell(powers, job, { type: "subject.gone", reason: "repository_gone" });
    return undefined;
  }
  if (!now.open) {
    await tell(powers, job, { type: "pull.ended", by: FORGE, merged: now.merged });
    return undefined;
  }
  const issue = await host.readIssue(subject, job.signal);
  if (issue && !issue.open) {
    await tell(powers, job, { type: "issue.ended", by: FORGE, reason: "issue_closed", pullIsOpen: true });
    return undefined;
  }
  // The branch itself, not the pull request, which follows it a moment later.
  const there = branch === undefined ? undefined : await host.readBranchHead(subject.repository, branch, job.signal);
  if (there && there.sha !== run.pushed) {
    await tell(powers, job, { type: "branch.moved", by: FORGE, headSha: there.sha, looked: true });
    return undefined;
  }
  return now;
}

/** The base is merged into the work where that can be done without a decision; else the run stands still and says which files do not agree. */
async function joinBase(powers: WorkPowers, job: WorkJob, run: Implementation, { ends }: PullFacts): Promise<void> {
  if (!isLooked(run) || !run.work) return;
  await using tree = await openTree(powers, job, run);
  const message = `Merge ${ends.baseRef} into the work\n`;
  const merged = await tree.merge({ commit: ends.baseSha, message, author: await powers.author(), at: powers.now() });
  // GitHub may have seen an older state: what merges here will merge there.
  if (merged.ok) return;
  const reason = `\`${ends.baseRef}\` has moved, and does not merge with the work in ${nameConflicts(merged.files)}: merge it into the branch and push that`;
  await haltWork(powers, job, run, { reason });
}
