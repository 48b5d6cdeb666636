import type { Deployment, DeploymentStatus } from "../records.ts";
import type { World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId, repositoryApi } from "./addresses.ts";
import { appShape } from "./app.ts";

export function deploymentShape(world: World, deployment: Deployment) {
  const { id, repository, viaApp } = deployment;
  const repositoryUrl = repositoryApi(world, repository);
  const url = `${repositoryUrl}/deployments/${id}`;
  return {
    url,
    id,
    node_id: nodeId("DE", id),
    task: deployment.task,
    original_environment: deployment.originalEnvironment,
    environment: deployment.environment,
    description: deployment.description,
    created_at: deployment.createdAt,
    updated_at: deployment.updatedAt,
    statuses_url: `${url}/statuses`,
    repository_url: repositoryUrl,
    creator: userShape(world, deployment.creator),
    sha: deployment.sha,
    ref: deployment.ref,
    payload: deployment.payload,
    transient_environment: deployment.transient,
    production_environment: deployment.production,
    performed_via_github_app: viaApp ? appShape(world, viaApp) : null,
  };
}

export function deploymentStatusShape(world: World, status: DeploymentStatus) {
  const { id, deployment, viaApp } = status;
  const repositoryUrl = repositoryApi(world, deployment.repository);
  const deploymentUrl = `${repositoryUrl}/deployments/${deployment.id}`;
  return {
    url: `${deploymentUrl}/statuses/${id}`,
    id,
    node_id: nodeId("DES", id),
    state: status.state,
    creator: userShape(world, status.creator),
    description: status.description,
    environment: status.environment,
    target_url: status.logUrl,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    deployment_url: deploymentUrl,
    repository_url: repositoryUrl,
    environment_url: status.environmentUrl,
    log_url: status.logUrl,
    performed_via_github_app: viaApp ? appShape(world, viaApp) : null,
  };
}
