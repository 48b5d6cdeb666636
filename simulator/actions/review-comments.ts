import { checkBody } from "../problem.ts";
import type { Account, Anchor, Review, ReviewComment, ReviewThread } from "../records.ts";
import { pullShape } from "../shapes/pull.ts";
import { hookThreadShape, reviewCommentShape } from "../shapes/review.ts";
import { emit } from "../webhooks/emit.ts";
import { nextId, now, type World } from "../world.ts";
import { moveComment } from "./move-head.ts";

export interface PlacedComment {
  readonly path: string;
  readonly body: string;
  readonly anchor: Anchor;
}

/** The first comment of a new thread. Emits nothing: a pending review is nobody's business yet. */
export async function startThread(world: World, review: Review, comment: PlacedComment): Promise<ReviewComment> {
  const { pullRequest } = review;
  const added = addComment(world, review, { ...comment, inReplyTo: null });
  const thread: ReviewThread = { id: nextId(world), pullRequest, comments: [added], resolvedBy: null };
  pullRequest.pull.threads.push(thread);
  world.threads.set(thread.id, thread);
  // a comment on an older head follows its line to the newest at once
  const { headSha } = pullRequest.pull;
  if (review.commitId !== headSha) await moveComment(world, added, headSha);
  return added;
}

/** A reply goes to the end of its thread, whichever comment it answers.
 * https://docs.github.com/en/rest/pulls/comments#create-a-reply-for-a-review-comment ("Replies to replies are not supported") */
export function replyTo(world: World, review: Review, thread: ReviewThread, body: string): ReviewComment {
  const [first] = thread.comments;
  if (!first) throw new Error("a thread has at least one comment");
  checkBody("PullRequestReviewComment", body);
  const { path, anchor } = first;
  const added = addComment(world, review, { path, anchor, body, inReplyTo: first });
  added.current = first.current;
  thread.comments.push(added);
  emitComment(world, added, { action: "created" }, review.user);
  return added;
}

function addComment(
  world: World,
  review: Review,
  comment: Pick<ReviewComment, "path" | "body" | "anchor" | "inReplyTo">,
): ReviewComment {
  const { pullRequest, user, commitId } = review;
  const { path, body, anchor, inReplyTo } = comment;
  const added: ReviewComment = {
    id: nextId(world),
    pullRequest,
    user,
    review,
    path,
    body,
    anchor,
    inReplyTo,
    originalCommitId: commitId,
    commitId: pullRequest.pull.headSha,
    current: { line: anchor.line, startLine: anchor.startLine },
    minimized: null,
    reactions: [],
    createdAt: now(),
    updatedAt: now(),
  };
  pullRequest.pull.comments.push(added);
  world.reviewComments.set(added.id, added);
  return added;
}

export function threadOf(comment: ReviewComment): ReviewThread {
  const thread = comment.pullRequest.pull.threads.find((each) => each.comments.includes(comment));
  if (!thread) throw new Error(`review comment ${comment.id} is in no thread`);
  return thread;
}

export function editReviewComment(world: World, comment: ReviewComment, body: string, by: Account): void {
  checkBody("PullRequestReviewComment", body);
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = now();
  emitComment(world, comment, { action: "edited", changes: { body: { from } } }, by);
}

export function deleteReviewComment(world: World, comment: ReviewComment, by: Account): void {
  const { pull } = comment.pullRequest;
  const thread = threadOf(comment);
  thread.comments.splice(thread.comments.indexOf(comment), 1);
  if (thread.comments.length === 0) pull.threads.splice(pull.threads.indexOf(thread), 1);
  pull.comments.splice(pull.comments.indexOf(comment), 1);
  world.reviewComments.delete(comment.id);
  emitComment(world, comment, { action: "deleted" }, by);
}

export function emitComment(
  world: World,
  comment: ReviewComment,
  payload: { action: string; changes?: unknown },
  by: Account,
): void {
  const { pullRequest } = comment;
  const shapes = { comment: reviewCommentShape(world, comment), pull_request: pullShape(world, pullRequest) };
  emit(world, pullRequest.repository, "pull_request_review_comment", { ...payload, ...shapes }, by);
}

export function setThreadResolved(world: World, thread: ReviewThread, resolved: boolean, by: Account): void {
  if ((thread.resolvedBy !== null) === resolved) return;
  thread.resolvedBy = resolved ? by : null;
  const { pullRequest } = thread;
  const action = resolved ? "resolved" : "unresolved";
  const shapes = { thread: hookThreadShape(world, thread), pull_request: pullShape(world, pullRequest) };
  emit(world, pullRequest.repository, "pull_request_review_thread", { action, ...shapes }, by);
}
