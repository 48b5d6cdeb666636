// https://docs.github.com/en/rest/issues/comments
import { addComment, deleteComment, editComment } from "../actions/issue-comments.ts";
import { notFound } from "../problem.ts";
import type { IssueComment } from "../records.ts";
import { commentShape } from "../shapes/issue.ts";
import type { World } from "../world.ts";
import {
  actorOf,
  authorOf,
  bodyOf,
  type Call,
  createRoutes,
  issueOf,
  numberParameter,
  parameter,
  repositoryOf,
  requireRole,
} from "./call.ts";
import { conversationOf } from "./issues.ts";
import { pageOf } from "./pages.ts";

export function issueCommentRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/issues";

  routes.get(`${base}/comments/:comment`, (call) => {
    const comment = commentOf(world, call);
    repositoryOf(world, call, comment.issue.pull ? "pull_requests" : "issues", "read");
    return call.json(commentShape(world, comment));
  });
  routes.patch(`${base}/comments/:comment`, (call) => {
    const comment = ownComment(world, call);
    editComment(world, comment, bodyOf<{ body: string }>(call).body, actorOf(call));
    return call.json(commentShape(world, comment));
  });
  routes.delete(`${base}/comments/:comment`, (call) => {
    deleteComment(world, ownComment(world, call), actorOf(call));
    return call.body(null, 204);
  });
  routes.get(`${base}/:number/comments`, (call) => {
    const issue = issueOf(repositoryOf(world, call, "metadata", "read"), parameter(call, "number"));
    repositoryOf(world, call, issue.pull ? "pull_requests" : "issues", "read");
    return call.json(pageOf(world, call, issue.comments).map((comment) => commentShape(world, comment)));
  });
  routes.post(`${base}/:number/comments`, (call) => {
    const issue = conversationOf(world, call, parameter(call, "number"));
    const comment = addComment(world, issue, bodyOf<{ body: string }>(call).body, authorOf(call));
    return call.json(commentShape(world, comment), 201);
  });
  return routes;
}

function commentOf(world: World, call: Call): IssueComment {
  const comment = world.comments.get(numberParameter(call, "comment"));
  if (!comment || comment.issue.repository !== repositoryOf(world, call, "metadata", "read")) throw notFound();
  return comment;
}

/** A comment that the caller may change: their own, or with write access anybody's. */
function ownComment(world: World, call: Call): IssueComment {
  const comment = commentOf(world, call);
  conversationOf(world, call, String(comment.issue.number));
  if (comment.user !== actorOf(call)) requireRole(call, comment.issue.repository, "write");
  return comment;
}
