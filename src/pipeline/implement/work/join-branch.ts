import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import { needed } from "../../fetch-ends.ts";
import type { Implementation } from "../implementation.ts";
import { isBegun } from "./make-plan.ts";
import { openWorkshop } from "./open-workshop.ts";
import { findWorkModels } from "./with-models.ts";
import { tell, type WorkJob, type WorkPowers } from "./work-job.ts";

/** Somebody pushed to the branch while the implementer worked: both are merged, or the run stops and says which files do not agree. */
export async function joinBranch(powers: WorkPowers, job: WorkJob, run: Implementation): Promise<void> {
  const { branch, toJoin } = run;
  if (!isBegun(run) || branch === undefined || toJoin === undefined || !run.work) return;
  const { runId } = run;
  const models = await findWorkModels(powers, run);
  if ("reason" in models) return;
  const now = await powers.host.readBranchHead(job.subject.repository, branch, job.signal);
  const theirs = now?.sha ?? toJoin;
  await using shop = await openWorkshop(powers, job, run, "implementation", models);
  const { tree, mirror } = shop;
  needed(await fetchCommits(mirror, { shas: [theirs], signal: job.signal }));
  const message = `Merge what was pushed to ${branch} meanwhile\n`;
  const merged = await tree.merge({ commit: theirs, message, author: await powers.author(), at: powers.now() });
  const took = { runId, durationMs: shop.elapsedMs(), costUsd: run.costUsd };
  if (!merged.ok) {
    const files = merged.files.slice(0, 10).map((path) => `\`${path}\``);
    const reason = `somebody pushed to \`${branch}\` meanwhile, and that does not merge with the work in ${files.join(", ")}: change it there so that both agree, or take it back`;
    await tell(powers, job, { type: "work.halted", ...took, reason });
    return;
  }
  await shop.keep();
  const { files } = await tree.changedSince(tree.base);
  const work = {
    headSha: tree.head(),
    treeSha: await tree.treeId(),
    commits: [{ sha: tree.head(), subject: message.trim() }],
    filesChanged: files.length,
    ...{ testsAdded: 0, validated: false, answers: [...run.answers], notDone: [] },
    joined: theirs,
  };
  await tell(powers, job, { type: "work.finished", ...took, work });
}
