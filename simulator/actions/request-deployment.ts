// What is asked of a deployment before it is made, and what reads it then.
import { contextsOn } from "../facts/required-checks.ts";
import { commitOf, isAncestor } from "../git/bare-repository.ts";
import { Problem } from "../problem.ts";
import type { Account, Deployment, Repository } from "../records.ts";
import { inBackground } from "../webhooks/queue.ts";
import type { World } from "../world.ts";
import { type Author, createDeployment, type NewDeployment } from "./deployments.ts";
import { deploymentStarts } from "./set-off.ts";
import { mergeInto } from "./write-refs.ts";

/** Null when the default branch was merged into the ref instead: then nothing is deployed, and the sentence says so. Throws the
 * problems of https://docs.github.com/en/rest/deployments/deployments#create-a-deployment, whose texts stand in
 * https://github.com/nexthink-oss/ghup/issues/135 and https://github.com/remind101/slashdeploy/issues/15. */
export async function requestDeployment(
  world: World,
  repository: Repository,
  wanted: NewDeployment,
  by: Author,
): Promise<{ deployment: Deployment } | { merged: string }> {
  const { ref, auto_merge = true, required_contexts } = wanted;
  const sha = await commitOf(repository.directory, ref);
  if (!sha) throw new Problem(422, `No ref found for: ${ref}`);
  const merged = auto_merge ? await mergeDefaultBranch(world, repository, { ref, sha }, by.user) : null;
  if (merged) return { merged };
  const contexts = contextsOn(repository, sha);
  const failing = (required_contexts ?? [...contexts.keys()])
    .map((context) => ({ context, state: contexts.get(context) ?? "expected" }))
    .filter(({ state }) => state !== "success");
  if (failing.length > 0)
    throw new Problem(409, `Conflict: Commit status checks failed for ${ref}.`, [
      { contexts: failing, resource: "Deployment", field: "required_contexts", code: "invalid" },
    ]);
  const deployment = createDeployment(world, repository, { ...wanted, sha }, by);
  inBackground(world.queue, () => deploymentStarts(world, deployment));
  return { deployment };
}

/** A sentence when it merged; null when the ref is not behind. A commit cannot be merged into, so an old one is a conflict. */
async function mergeDefaultBranch(
  world: World,
  repository: Repository,
  { ref, sha }: { ref: string; sha: string },
  by: Account,
): Promise<string | null> {
  const { directory, defaultBranch } = repository;
  const main = await commitOf(directory, defaultBranch);
  if (!main || (await isAncestor(directory, main, sha))) return null;
  const isBranch = (await commitOf(directory, `heads/${ref}`)) !== null;
  const message = `Merge branch '${defaultBranch}' into ${ref}`;
  if (!isBranch || !(await mergeInto(world, repository, { branch: ref, sha: main, message, by })))
    throw new Problem(409, `Conflict merging ${defaultBranch} into ${ref}.`);
  return `Auto-merged ${defaultBranch} into ${ref} on deployment.`;
}
