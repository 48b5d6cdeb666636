import type { Subject } from "../../../domain/subjects.ts";
import { readWorkTree } from "../../../store/runs/put-work-tree.ts";
import { fetchCommits } from "../../../workspace/fetch-commits.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import { openSandbox } from "../../../workspace/sandbox/open-sandbox.ts";
import { openWorkingTree } from "../../../workspace/working-tree/working-tree.ts";
import { mirrorOf, needed } from "../../change/fetch-ends.ts";
import { headOf, type Looked } from "../implementation.ts";
import type { OpenTree, WorkDependencies, WorkJob } from "./work-job.ts";

/** The working tree where the run left it; what a person pushed since is where it begins. */
export async function openTree(dependencies: WorkDependencies, job: WorkJob, run: Looked): Promise<OpenTree> {
  const { store, scratchRoot } = dependencies;
  const { signal, subject, runId } = job;
  const snapshot = await readWorkTree(store, runId);
  const head = headOf(run);
  const isOurs = snapshot !== undefined && !isAdopted(run, snapshot.head);
  const base = isOurs ? snapshot.base : head;
  const mirror = await openRepository(dependencies, subject, [base, run.base.sha], signal);
  const left = isOurs ? undefined : await job.trees?.take(base);
  if (left) return left;
  const sandbox = await openSandbox();
  const tree = await openWorkingTree({
    ...{ mirror, base, scratchRoot, signal },
    ...("unavailable" in sandbox ? {} : { sandbox }),
    ...(isOurs ? { snapshot } : {}),
  });
  return Object.assign(tree, { mirror });
}

/** Whether the branch's head is one that somebody else made since the last of our commits. */
function isAdopted({ work }: Looked, ours: string): boolean {
  return work !== undefined && work.treeSha === undefined && work.headSha !== ours;
}

/**
 * The mirror of a repository with these commits in it.
 * @throws ForgeError `change_unreadable`
 */
export async function openRepository(
  { host, mirrorRoot }: Pick<WorkDependencies, "host" | "mirrorRoot">,
  { repository }: Pick<Subject, "repository">,
  shas: readonly string[],
  signal: AbortSignal,
): Promise<Mirror> {
  const mirror = mirrorOf(repository, mirrorRoot, host.remote(repository));
  needed(await fetchCommits(mirror, { shas, signal }));
  return mirror;
}
