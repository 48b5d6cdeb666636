import type { Caller } from "../access/caller.ts";
import { mayReach } from "../access/permissions.ts";
import type { Repository } from "../records.ts";
import { nodeId, readNodeId } from "../shapes/addresses.ts";
import { fullName, isPull, pullsOf, type World } from "../world.ts";
import { deploymentNode } from "./deployment-node.ts";
import {
  actorNode,
  connection,
  issueCommentNode,
  mergingOf,
  pullNode,
  reviewCommentNode,
  reviewNode,
  threadNode,
} from "./nodes.ts";

export type GraphqlCaller = Extract<Caller, { kind: "installation" | "user" }>;

export function queries(world: World, caller: GraphqlCaller) {
  return {
    viewer: () => actorNode(caller.user),
    rateLimit: () => ({
      limit: 5000,
      remaining: 4999,
      cost: 1,
      used: 1,
      nodeCount: 1,
      resetAt: new Date().toISOString(),
    }),
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const repository = world.repositories.get(`${owner}/${name}`.toLowerCase());
      return repository && mayReach(caller, repository) ? repositoryNode(world, caller, repository) : null;
    },
    node: ({ id }: { id: string }) => findNode(world, caller, id),
    nodes: ({ ids }: { ids: string[] }) => ids.map((id) => findNode(world, caller, id)),
  };
}

function repositoryNode(world: World, caller: GraphqlCaller, repository: Repository) {
  return {
    __typename: "Repository",
    id: nodeId("R", repository.id),
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: fullName(repository),
    viewerDefaultMergeMethod: "MERGE",
    pullRequest: ({ number }: { number: number }) => {
      const issue = repository.issues.get(number);
      return issue && isPull(issue) ? { ...pullNode(world, issue), ...mergingOf(world, caller, issue) } : null;
    },
    pullRequests: (page: { first?: number; after?: string }) =>
      connection(
        pullsOf(repository).map((request) => pullNode(world, request)),
        page,
      ),
  };
}

function findNode(world: World, caller: GraphqlCaller, id: string) {
  const { kind, number } = readNodeId(id);
  const comment = kind === "IC" ? world.comments.get(number) : undefined;
  if (comment && mayReach(caller, comment.issue.repository)) return issueCommentNode(world, comment);
  const reviewComment = kind === "PRRC" ? world.reviewComments.get(number) : undefined;
  if (reviewComment && mayReach(caller, reviewComment.pullRequest.repository))
    return reviewCommentNode(world, reviewComment);
  const review = kind === "PRR" ? world.reviews.get(number) : undefined;
  if (review && mayReach(caller, review.pullRequest.repository)) return reviewNode(world, review);
  const thread = kind === "PRRT" ? world.threads.get(number) : undefined;
  if (thread && mayReach(caller, thread.pullRequest.repository)) return threadNode(world, thread);
  const deployment = kind === "DE" ? world.deployments.get(number) : undefined;
  if (deployment && mayReach(caller, deployment.repository)) return deploymentNode(world, deployment);
  const all = kind === "PR" ? [...world.repositories.values()].flatMap(pullsOf) : [];
  const request = all.find((each) => each.pull.id === number);
  return request && mayReach(caller, request.repository) ? pullNode(world, request) : null;
}
