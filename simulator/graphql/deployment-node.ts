import type { Deployment } from "../records.ts";
import { nodeId } from "../shapes/addresses.ts";
import type { World } from "../world.ts";
import { actorNode } from "./nodes.ts";

/** https://docs.github.com/en/graphql/reference/enums#deploymentstate: "The pending deployment was not updated after 30 minutes." */
const ABANDONED_AFTER_MS = 30 * 60_000;
const PENDING = new Set(["PENDING", "QUEUED", "IN_PROGRESS"]);

export function deploymentNode(world: World, deployment: Deployment) {
  const { id, sha, task, environment, payload, creator } = deployment;
  const latest = deployment.statuses.at(-1);
  return {
    __typename: "Deployment",
    id: nodeId("DE", id),
    databaseId: id,
    commitOid: sha,
    task,
    environment,
    originalEnvironment: deployment.originalEnvironment,
    latestEnvironment: environment,
    description: deployment.description,
    payload: JSON.stringify(payload),
    creator: actorNode(creator),
    createdAt: deployment.createdAt,
    updatedAt: deployment.updatedAt,
    state: stateOf(world, deployment),
    latestStatus: latest ? { state: latest.state.toUpperCase(), description: latest.description } : null,
  };
}

/** Has words that REST does not know. */
function stateOf(world: World, { statuses, transient, updatedAt }: Deployment): string {
  const said = (statuses.at(-1)?.state ?? "pending").toUpperCase();
  if (PENDING.has(said)) return world.clock() - Date.parse(updatedAt) > ABANDONED_AFTER_MS ? "ABANDONED" : said;
  if (said === "INACTIVE" && transient) return "DESTROYED";
  return said === "SUCCESS" ? "ACTIVE" : said;
}
