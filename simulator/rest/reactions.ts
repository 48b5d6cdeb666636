// https://docs.github.com/en/rest/reactions/reactions (reviews have none, and no webhook tells of any)

import { may, type Permission } from "../access/permissions.ts";
import { addReaction } from "../actions/issue-comments.ts";
import { notFound } from "../problem.ts";
import type { Reaction, Repository } from "../records.ts";
import { reactionShape } from "../shapes/issue.ts";
import type { World } from "../world.ts";
import { actorOf, bodyOf, type Call, createRoutes, issueOf, numberParameter, parameter, repositoryOf } from "./call.ts";
import { pageOf } from "./pages.ts";

interface Reactable {
  readonly reactions: Reaction[];
  /** Any of these permissions is enough. */
  readonly permissions: readonly Permission[];
}

type Find = (call: Call, repository: Repository) => Reactable | undefined;

export function reactionRoutes(world: World) {
  const routes = createRoutes();
  const places: [string, Find][] = [
    ["issues/:number", (call, repository) => conversation(issueOf(repository, parameter(call, "number")))],
    ["issues/comments/:comment", (call) => conversationComment(world, numberParameter(call, "comment"))],
    ["pulls/comments/:comment", (call) => reviewComment(world, numberParameter(call, "comment"))],
  ];
  for (const [path, find] of places) {
    const base = `/repos/:owner/:repo/${path}/reactions`;
    const reactable = (call: Call, level: "read" | "write"): Reaction[] => {
      const found = find(call, repositoryOf(world, call, "metadata", "read"));
      if (!found) throw notFound();
      requireOneOf(world, call, found.permissions, level);
      return found.reactions;
    };
    routes.get(base, (call) => {
      const content = call.req.query("content");
      const matching = reactable(call, "read").filter((each) => !content || each.content === content);
      return call.json(pageOf(world, call, matching).map((each) => reactionShape(world, each)));
    });
    routes.post(base, (call) => {
      const { content } = bodyOf<{ content: string }>(call);
      const { reaction, isNew } = addReaction(world, reactable(call, "write"), content, actorOf(call));
      return call.json(reactionShape(world, reaction), isNew ? 201 : 200);
    });
    routes.delete(`${base}/:reaction`, (call) => {
      const reactions = reactable(call, "write");
      const id = numberParameter(call, "reaction");
      const index = reactions.findIndex((each) => each.id === id && each.user === actorOf(call));
      if (index < 0) throw notFound();
      reactions.splice(index, 1);
      return call.body(null, 204);
    });
  }
  return routes;
}

function conversation(issue: { reactions: Reaction[]; pull: unknown }): Reactable {
  return { reactions: issue.reactions, permissions: issue.pull ? ["issues", "pull_requests"] : ["issues"] };
}

function conversationComment(world: World, id: number): Reactable | undefined {
  const comment = world.comments.get(id);
  return comment && { ...conversation(comment.issue), reactions: comment.reactions };
}

function reviewComment(world: World, id: number): Reactable | undefined {
  const comment = world.reviewComments.get(id);
  return comment && { reactions: comment.reactions, permissions: ["pull_requests"] };
}

function requireOneOf(world: World, call: Call, permissions: readonly Permission[], level: "read" | "write"): void {
  const caller = call.get("caller");
  const repository = repositoryOf(world, call, "metadata", "read");
  const granted = permissions.find((permission) => may(caller, repository, permission, level));
  repositoryOf(world, call, granted ?? permissions[0] ?? "issues", level);
}
