// https://docs.github.com/en/rest/deployments: what is created, what follows from it, and who hears of it.
import { Problem, validationFailed } from "../problem.ts";
import type { Account, App, Deployment, DeploymentStatus, Job, Repository } from "../records.ts";
import { checkRunShape } from "../shapes/check.ts";
import { deploymentShape, deploymentStatusShape } from "../shapes/deployment.ts";
import { hookRunShape, workflowShape } from "../shapes/workflow.ts";
import { emit } from "../webhooks/emit.ts";
import { nextId, timeOf, type World } from "../world.ts";

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
  const payload = { action: "created", deployment: deploymentShape(world, deployment), ...originOf(world, job) };
  emit(world, repository, "deployment", payload, by.user);
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
  job: Job | null = null,
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
  const origin = { check_run: job ? checkRunShape(world, job.check) : null, ...originOf(world, job) };
  emit(world, deployment.repository, "deployment_status", { action: "created", ...shapes, ...origin }, by.user);
  return status;
}

/** Which run of a workflow it comes from. */
function originOf(world: World, job: Job | null) {
  if (!job) return { workflow: null, workflow_run: null };
  const { workflowRun } = job;
  return {
    workflow: workflowShape(world, workflowRun, workflowRun.suite.repository),
    workflow_run: hookRunShape(world, workflowRun),
  };
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
