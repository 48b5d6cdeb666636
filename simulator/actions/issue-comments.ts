import { checkBody } from "../problem.ts";
import type { Account, Issue, IssueComment, Reaction } from "../records.ts";
import { commentShape, issueShape } from "../shapes/issue.ts";
import { emit } from "../webhooks/emit.ts";
import { nextId, now, type World } from "../world.ts";
import type { Author } from "./issues.ts";

export function addComment(world: World, issue: Issue, body: string, author: Author): IssueComment {
  checkBody("IssueComment", body);
  const comment: IssueComment = {
    ...author,
    id: nextId(world),
    issue,
    body,
    minimized: null,
    reactions: [],
    createdAt: now(),
    updatedAt: now(),
  };
  issue.comments.push(comment);
  issue.updatedAt = now();
  world.comments.set(comment.id, comment);
  emitComment(world, comment, { action: "created" }, author.user);
  return comment;
}

export function editComment(world: World, comment: IssueComment, body: string, by: Account): void {
  checkBody("IssueComment", body);
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = now();
  emitComment(world, comment, { action: "edited", changes: { body: { from } } }, by);
}

export function deleteComment(world: World, comment: IssueComment, by: Account): void {
  comment.issue.comments.splice(comment.issue.comments.indexOf(comment), 1);
  world.comments.delete(comment.id);
  emitComment(world, comment, { action: "deleted" }, by);
}

function emitComment(
  world: World,
  comment: IssueComment,
  payload: { action: string; changes?: unknown },
  by: Account,
): void {
  const { issue } = comment;
  const shapes = { issue: issueShape(world, issue), comment: commentShape(world, comment) };
  emit(world, issue.repository, "issue_comment", { ...payload, ...shapes }, by);
}

/** One reaction of a kind for each user; no webhook tells of it.
 * https://docs.github.com/en/rest/reactions/reactions */
export function addReaction(
  world: World,
  reactions: Reaction[],
  content: string,
  user: Account,
): { reaction: Reaction; isNew: boolean } {
  const found = reactions.find((each) => each.user === user && each.content === content);
  if (found) return { reaction: found, isNew: false };
  const reaction: Reaction = { id: nextId(world), user, content, createdAt: now() };
  reactions.push(reaction);
  return { reaction, isNew: true };
}
