// What people and other programs do with deployments, and what their page shows.
import {
  createDeploymentStatus,
  deploymentsOf,
  type NewDeployment,
  type NewDeploymentStatus,
  requestDeployment,
} from "../actions/deployments.ts";
import type { Deployment } from "../records.ts";
import { requireAccount, requireRepository, type World } from "../world.ts";

export function deploying(world: World) {
  /** By hand, as with `gh api`; nothing is merged into the ref unless it is asked for. Resolves with its id. */
  async function createDeployment(ownerRepo: string, by: string, wanted: NewDeployment): Promise<number> {
    const author = { user: requireAccount(world, by), viaApp: null };
    const request = { auto_merge: false, required_contexts: [], ...wanted };
    const made = await requestDeployment(world, requireRepository(world, ownerRepo), request, author);
    if ("merged" in made) throw new Error(made.merged);
    return made.deployment.id;
  }

  function setDeploymentStatus(deploymentId: number, by: string, status: NewDeploymentStatus): void {
    const deployment = world.deployments.get(deploymentId);
    if (!deployment) throw new Error(`no deployment ${deploymentId} in the simulator`);
    createDeploymentStatus(world, deployment, status, { user: requireAccount(world, by), viaApp: null });
  }

  /** Oldest first, each with its statuses, oldest first. */
  function deployments(ownerRepo: string) {
    return deploymentsOf(world, requireRepository(world, ownerRepo)).map(deploymentView);
  }

  return { createDeployment, setDeploymentStatus, deployments };
}

function deploymentView({ id, sha, ref, task, environment, payload, description, creator, statuses }: Deployment) {
  const said = statuses.map((status) => ({
    state: status.state,
    by: status.creator.login,
    description: status.description,
    environmentUrl: status.environmentUrl,
    logUrl: status.logUrl,
  }));
  const state = statuses.at(-1)?.state ?? null;
  return { id, sha, ref, task, environment, payload, description, by: creator.login, state, statuses: said };
}
