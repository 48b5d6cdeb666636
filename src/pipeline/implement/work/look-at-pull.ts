import { FORGE } from "../../../domain/subjects.ts";
import { storeWorkTree } from "../../../store/runs/put-work-tree.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { needed } from "../../change/fetch-ends.ts";
import { submit } from "../../runs/handle-input.ts";
import type { PullFacts } from "../../runs/ports.ts";
import { type Implementation, isLooked } from "../implementation.ts";
import { filesOfWork } from "./files-of-work.ts";
import { haltWork, nameConflicts } from "./halt-work.ts";
import { openTree } from "./open-tree.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/**
 * Nothing is to be done for a run but to see how its pull request stands: what GitHub told may have been lost, or come in another order, and
 * the base may have moved so that both do not merge any more.
 */
export async function lookAtPull(dependencies: WorkDependencies, job: WorkJob, run: Implementation): Promise<void> {
  const now = await seePull(dependencies, job, run);
  if (now?.mergeable === "conflicts") await joinBase(dependencies, job, run, now);
}

/** Whether the pull request and its issue are still open, and the branch where it should be; undefined where that is not so, and told. */
export async function seePull(
  dependencies: WorkDependencies,
  job: WorkJob,
  run: Implementation,
): Promise<PullFacts | undefined> {
  const { host } = dependencies;
  const { pull, subject, branch } = run;
  if (!pull) return undefined;
  const now = await host.readPull(subject.repository, pull.number, job.signal);
  if (!now) {
    await submit(dependencies, job, { type: "subject.gone", reason: "repository_gone" });
    return undefined;
  }
  if (!now.open) {
    await submit(dependencies, job, { type: "pull.ended", by: FORGE, merged: now.merged });
    return undefined;
  }
  const issue = await host.readIssue(subject, job.signal);
  if (issue && !issue.open) {
    await submit(dependencies, job, { type: "issue.ended", by: FORGE, reason: "issue_closed", pullIsOpen: true });
    return undefined;
  }
  // The branch itself, not the pull request, which follows it a moment later.
  const there = branch === undefined ? undefined : await host.readBranchHead(subject.repository, branch, job.signal);
  if (there && there.sha !== run.pushed) {
    await submit(dependencies, job, { type: "branch.moved", by: FORGE, headSha: there.sha, looked: true });
    return undefined;
  }
  return now;
}

/** The base is merged into the work where that can be done without a decision; else the run stands still and says which files do not agree. */
async function joinBase(
  dependencies: WorkDependencies,
  job: WorkJob,
  run: Implementation,
  { ends }: PullFacts,
): Promise<void> {
  if (!isLooked(run) || !run.work) return;
  await using tree = await openTree(dependencies, job, run);
  const message = `Merge ${ends.baseRef} into the work\n`;
  const merged = await tree.merge({
    commit: ends.baseSha,
    message,
    author: await dependencies.author(),
    at: dependencies.now(),
  });
  // GitHub may have seen an older state: what merges here will merge there.
  if (merged.ok) return;
  const reason = `\`${ends.baseRef}\` has moved, and does not merge with the work in ${nameConflicts(merged.files)}: merge it into the branch and push that`;
  await haltWork(dependencies, job, run, { reason });
}

/** Somebody pushed to the branch while the implementer worked: both are merged, or the run stops and says which files do not agree. */
export async function joinBranch(dependencies: WorkDependencies, job: WorkJob, run: Implementation): Promise<void> {
  const { branch, toJoin, runId, costUsd } = run;
  if (!isLooked(run) || branch === undefined || toJoin === undefined || !run.work) return;
  const { host, store } = dependencies;
  const { subject, fence, signal } = job;
  const began = performance.now();
  const now = await host.readBranchHead(subject.repository, branch, signal);
  const theirs = now?.sha ?? toJoin;
  await using tree = await openTree(dependencies, job, run);
  needed(await fetchCommits(tree.mirror, { shas: [theirs], signal }));
  const message = `Merge what was pushed to ${branch} meanwhile\n`;
  const merged = await tree.merge({
    commit: theirs,
    message,
    author: await dependencies.author(),
    at: dependencies.now(),
  });
  const durationMs = Math.round(performance.now() - began);
  if (!merged.ok) {
    const reason = `somebody pushed to \`${branch}\` meanwhile, and that does not merge with the work in ${nameConflicts(merged.files)}: change it there so that both agree, or take it back`;
    await haltWork(dependencies, job, run, { reason, durationMs });
    return;
  }
  await storeWorkTree(store, { runId, tree: await tree.snapshot(), at: dependencies.now(), fence });
  const { files } = await tree.changedSince(tree.base);
  const work = {
    headSha: tree.head(),
    treeSha: await tree.treeId(),
    commits: [{ sha: tree.head(), subject: message.trim() }],
    ...filesOfWork(files),
    ...{ testsAdded: 0, validated: false, answers: [...run.answers], notDone: [] },
    joined: theirs,
  };
  await submit(dependencies, job, { type: "work.finished", runId, durationMs, costUsd, work });
}
