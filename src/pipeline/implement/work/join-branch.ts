import { storeWorkTree } from "../../../store/put-work-tree.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { needed } from "../../change/fetch-ends.ts";
import { type Implementation, isLooked } from "../implementation.ts";
import { haltWork, nameConflicts } from "./halt-work.ts";
import { openTree } from "./open-tree.ts";
import { tell, type WorkDependencies, type WorkJob } from "./work-job.ts";

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
    filesChanged: files.length,
    ...{ testsAdded: 0, validated: false, answers: [...run.answers], notDone: [] },
    joined: theirs,
  };
  await tell(dependencies, job, { type: "work.finished", runId, durationMs, costUsd, work });
}
