// https://docs.github.com/en/rest/pulls/comments
import {
  deleteReviewComment,
  editReviewComment,
  emitComment,
  replyTo,
  startThread,
  threadOf,
} from "../actions/review-comments.ts";
import { addReview, emitReview, hasPendingReview, isCommitOf } from "../actions/reviews.ts";
import { type AnchorRefusal, isRefusal, type ProposedAnchor, resolveAnchor } from "../facts/anchors.ts";
import { checkBody, notFound, type Problem, validationFailed } from "../problem.ts";
import type { Account, PullRequest, Review, ReviewComment } from "../records.ts";
import { reviewCommentShape } from "../shapes/review.ts";
import type { World } from "../world.ts";
import {
  actorOf,
  bodyOf,
  type Call,
  createRoutes,
  numberParameter,
  pullOf,
  repositoryOf,
  requireRole,
} from "./call.ts";
import { pageOf } from "./pages.ts";

type NewComment = ProposedAnchor & { readonly body: string; readonly commit_id: string; readonly in_reply_to?: number };

export function reviewCommentRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/pulls";

  routes.get(`${base}/comments/:comment`, (call) =>
    call.json(reviewCommentShape(world, commentOf(world, call, "read"))),
  );
  routes.patch(`${base}/comments/:comment`, (call) => {
    const comment = ownComment(world, call);
    editReviewComment(world, comment, bodyOf<{ body: string }>(call).body, actorOf(call));
    return call.json(reviewCommentShape(world, comment));
  });
  routes.delete(`${base}/comments/:comment`, (call) => {
    deleteReviewComment(world, ownComment(world, call), actorOf(call));
    return call.body(null, 204);
  });
  routes.get(`${base}/:number/comments`, (call) => {
    const { pull } = pullOf(world, call, "read");
    const visible = pull.comments.filter((comment) => comment.review.state !== "PENDING");
    return call.json(pageOf(world, call, visible).map((comment) => reviewCommentShape(world, comment)));
  });
  routes.post(`${base}/:number/comments`, async (call) => {
    const request = pullOf(world, call, "write");
    const wanted = bodyOf<NewComment>(call);
    if (wanted.in_reply_to !== undefined) return call.json(reply(world, call, request, wanted.in_reply_to), 201);
    await requireCommit(world, request, wanted.commit_id);
    checkBody("PullRequestReviewComment", wanted.body);
    refuseWhilePending(request, actorOf(call));
    const anchor = await resolveAnchor(world, request, wanted.commit_id, wanted);
    if (isRefusal(anchor)) throw invalid(`pull_request_review_thread.${anchor.field}`, placeOf(anchor));
    const review = singleReview(world, call, request, wanted.commit_id);
    const comment = await startThread(world, review, { path: wanted.path, body: wanted.body, anchor });
    emitComment(world, comment, { action: "created" }, review.user);
    return call.json(reviewCommentShape(world, comment), 201);
  });
  routes.post(`${base}/:number/comments/:comment/replies`, (call) =>
    call.json(reply(world, call, pullOf(world, call, "write"), numberParameter(call, "comment")), 201),
  );
  return routes;
}

function reply(world: World, call: Call, request: PullRequest, id: number) {
  const target = world.reviewComments.get(id);
  if (!target || target.pullRequest !== request || target.review.state === "PENDING") throw notFound();
  refuseWhilePending(request, actorOf(call));
  const { body } = bodyOf<{ body: string }>(call);
  const review = singleReview(world, call, request, target.originalCommitId);
  return reviewCommentShape(world, replyTo(world, review, threadOf(target), body));
}

/** A comment outside a review brings one of its own, submitted and without a body. */
function singleReview(world: World, call: Call, request: PullRequest, commitId: string): Review {
  const review = addReview(world, request, { user: actorOf(call), body: "", state: "COMMENTED", commitId });
  emitReview(world, review, { action: "submitted" }, review.user);
  return review;
}

async function requireCommit(world: World, request: PullRequest, commitId: string): Promise<void> {
  if (await isCommitOf(world, request, commitId)) return;
  throw invalid("pull_request_review_thread.commit_id", "is not part of the pull request");
}

function placeOf({ field }: AnchorRefusal): string {
  return field === "start_line" ? "must be part of the same hunk as the line." : "must be part of the diff";
}

function refuseWhilePending(request: PullRequest, by: Account): void {
  if (hasPendingReview(request, by)) throw invalid("user_id", "can only have one pending review per pull request");
}

function invalid(field: string, sentence: string): Problem {
  return validationFailed({
    resource: "PullRequestReviewComment",
    code: "custom",
    field,
    message: `${field} ${sentence}`,
  });
}

function commentOf(world: World, call: Call, level: "read" | "write"): ReviewComment {
  const repository = repositoryOf(world, call, "pull_requests", level);
  const comment = world.reviewComments.get(numberParameter(call, "comment"));
  if (!comment || comment.pullRequest.repository !== repository) throw notFound();
  return comment;
}

function ownComment(world: World, call: Call): ReviewComment {
  const comment = commentOf(world, call, "write");
  if (comment.user !== actorOf(call)) requireRole(call, comment.pullRequest.repository, "write");
  return comment;
}
