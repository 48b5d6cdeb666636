// https://docs.github.com/en/rest/deployments: what is created, what follows from it, and who hears of it.
import { contextsOn } from "../facts/required-checks.ts";
import { commitOf, isAncestor } from "../git/bare-repository.ts";
import { Problem, validationFailed } from "../problem.ts";
import type { Account, App, Deployment, DeploymentStatus, Job, Repository } from "../records.ts";
import { deploymentShape, deploymentStatusShape } from "../shapes/deployment.ts";
import { emit } from "../webhooks/emit.ts";
import { nextId, timeOf, type World } from "../world.ts";
import { mergeInto } from "./write-refs.ts";

export interface NewDeployment {
  readonly ref: string;
  readonly task?: string;
  readonly auto_merge?: boolean;
  readonly required_contexts?: readonly string[];
  readonly payload?: object | string;
  readonly environment?: string;
  readonly description?: string | null;
  readonly transient_environment?: boolean;
  readonly production_environment?: boolean;
}

export interface Author {
  readonly user: Account;
  readonly viaApp: App | null;
}

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
  return { deployment: createDeployment(world, repository, { ...wanted, sha }, by) };
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

/** Without the questions that are asked of a request: so a job of a workflow makes its own. */
export function createDeployment(
  world: World,
  repository: Repository,
  wanted: NewDeployment & { readonly sha: string },
  by: Author,
  job: Job | null = null,
): Deployment {
  const environment = wanted.environment ?? "production";
  const deployment: Deployment = {
    id: nextId(world),
    repository,
    sha: wanted.sha,
    ref: wanted.ref,
    task: wanted.task ?? "deploy",
    payload: wanted.payload ?? "",
    originalEnvironment: environment,
    environment,
    description: wanted.description ?? null,
    transient: wanted.transient_environment ?? false,
    production: wanted.production_environment ?? environment === "production",
    creator: by.user,
    viaApp: by.viaApp,
    job,
    statuses: [],
    createdAt: timeOf(world),
    updatedAt: timeOf(world),
  };
  world.deployments.set(deployment.id, deployment);
  const shapes = { deployment: deploymentShape(world, deployment), workflow: null, workflow_run: null };
  emit(world, repository, "deployment", { action: "created", ...shapes }, by.user);
  return deployment;
}

export interface NewDeploymentStatus {
  readonly state: DeploymentStatus["state"];
  readonly target_url?: string;
  readonly log_url?: string;
  readonly description?: string;
  readonly environment?: string;
  readonly environment_url?: string;
  readonly auto_inactive?: boolean;
}

const LONGEST_DESCRIPTION = 140;

/** Whoever may push may say this of any deployment. https://docs.github.com/en/rest/deployments/statuses#create-a-deployment-status */
export function createDeploymentStatus(
  world: World,
  deployment: Deployment,
  wanted: NewDeploymentStatus,
  by: Author,
): DeploymentStatus {
  const { state, description = "", auto_inactive = true } = wanted;
  // https://github.com/Shopify/shipit-engine/pull/1004
  if (description.length > LONGEST_DESCRIPTION)
    throw validationFailed({
      resource: "DeploymentStatus",
      code: "custom",
      field: "description",
      message: `description is too long (maximum is ${LONGEST_DESCRIPTION} characters)`,
    });
  deployment.environment = wanted.environment ?? deployment.environment;
  const status = addStatus(world, deployment, wanted, by);
  if (state === "success" && auto_inactive) retireOlder(world, deployment, by);
  // https://docs.github.com/en/webhooks/webhook-events-and-payloads#deployment_status: "inactive" is told to nobody
  if (state === "inactive") return status;

  const shapes = {
    deployment_status: deploymentStatusShape(world, status),
    deployment: deploymentShape(world, deployment),
  };
  const from = { check_run: null, workflow: null, workflow_run: null };
  emit(world, deployment.repository, "deployment_status", { action: "created", ...shapes, ...from }, by.user);
  return status;
}

function addStatus(
  world: World,
  deployment: Deployment,
  { state, description = "", environment_url = "", log_url, target_url }: NewDeploymentStatus,
  by: Author,
): DeploymentStatus {
  const status: DeploymentStatus = {
    id: nextId(world),
    deployment,
    state,
    description,
    environment: deployment.environment,
    environmentUrl: environment_url,
    logUrl: log_url ?? target_url ?? "",
    creator: by.user,
    viaApp: by.viaApp,
    createdAt: timeOf(world),
  };
  deployment.statuses.push(status);
  deployment.updatedAt = status.createdAt;
  return status;
}

/** Production and transient ones stay as they are; so do those that never succeeded. */
function retireOlder(world: World, { id, repository, environment }: Deployment, by: Author): void {
  for (const older of deploymentsOf(world, repository)) {
    if (older.id >= id || older.environment !== environment || older.production || older.transient) continue;
    const succeeded = older.statuses.some(({ state }) => state === "success");
    if (succeeded && older.statuses.at(-1)?.state !== "inactive") addStatus(world, older, { state: "inactive" }, by);
  }
}

/** Oldest first. */
export function deploymentsOf(world: World, repository: Repository): Deployment[] {
  return [...world.deployments.values()].filter((each) => each.repository === repository);
}

/** Only what is no longer active, or stands alone, goes: https://docs.github.com/en/rest/deployments/deployments#delete-a-deployment */
export function deleteDeployment(world: World, deployment: Deployment): void {
  const isActive = deployment.statuses.at(-1)?.state !== "inactive";
  if (isActive && deploymentsOf(world, deployment.repository).length > 1)
    throw new Problem(422, "We cannot delete an active deployment unless it is the only deployment in a repository.");
  world.deployments.delete(deployment.id);
}
