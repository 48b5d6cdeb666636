import { isRefusal, type ProposedAnchor, resolveAnchor } from "../facts/anchors.ts";
import { inspectPull } from "../facts/inspect-pull.ts";
import { lengthProblem, notFound, Problem, unprocessable } from "../problem.ts";
import type { Account, PullRequest, Review, ReviewEvent, ReviewState } from "../records.ts";
import { pullShape } from "../shapes/pull.ts";
import { hookReviewShape, reviewCommentShape } from "../shapes/review.ts";
import { emit } from "../webhooks/emit.ts";
import { nextId, now, type World } from "../world.ts";
import { type PlacedComment, startThread } from "./review-comments.ts";

export type ProposedComment = ProposedAnchor & { readonly body: string };

export interface NewReview {
  /** Left out: the review stays pending. */
  readonly event?: ReviewEvent | undefined;
  readonly body?: string | undefined;
  readonly commit_id?: string | undefined;
  readonly comments?: readonly ProposedComment[] | undefined;
}

const STATES: Record<ReviewEvent, ReviewState> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

/** All or nothing. Throws the 422 problems of https://docs.github.com/en/rest/pulls/reviews#create-a-review-for-a-pull-request. */
export async function createReview(
  world: World,
  request: PullRequest,
  wanted: NewReview,
  by: Account,
): Promise<Review> {
  const comments = wanted.comments ?? [];
  for (const { body } of [wanted, ...comments]) checkReviewBody(body);
  refuseOwnVerdict(request, wanted.event, by);
  if (wanted.event && wanted.event !== "APPROVE" && !wanted.body && comments.length === 0)
    throw unprocessable("Body is required");
  if (hasPendingReview(request, by)) throw unprocessable("User can only have one pending review per pull request");
  const commitId = wanted.commit_id ?? request.pull.headSha;
  if (!(await isCommitOf(world, request, commitId)))
    throw unprocessable("The commit_id is not part of the pull request");
  const placed: PlacedComment[] = [];
  for (const comment of comments) {
    const anchor = await resolveAnchor(world, request, commitId, comment);
    if (isRefusal(anchor)) throw unprocessable(anchor.sentence);
    placed.push({ path: comment.path, body: comment.body, anchor });
  }
  const review = addReview(world, request, { user: by, body: wanted.body ?? "", state: "PENDING", commitId });
  for (const comment of placed) await startThread(world, review, comment);
  if (wanted.event) submitReview(world, review, wanted.event, undefined);
  return review;
}

export function addReview(
  world: World,
  pullRequest: PullRequest,
  review: Pick<Review, "user" | "body" | "state" | "commitId">,
): Review {
  const submittedAt = review.state === "PENDING" ? null : now();
  const added: Review = { ...review, id: nextId(world), pullRequest, submittedAt };
  pullRequest.pull.reviews.push(added);
  world.reviews.set(added.id, added);
  return added;
}

/** Nobody approves or refuses their own pull request:
 * https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/approving-a-pull-request-with-required-reviews */
function refuseOwnVerdict(request: PullRequest, event: ReviewEvent | undefined, by: Account): void {
  if (request.user !== by) return;
  if (event === "APPROVE") throw unprocessable("Can not approve your own pull request");
  if (event === "REQUEST_CHANGES") throw unprocessable("Can not request changes on your own pull request");
}

/** A user has one pending review for each pull request, and while it is pending no other review, submitted ones included:
 * https://docs.github.com/en/rest/pulls/reviews#create-a-review-for-a-pull-request, and seen live in
 * https://github.com/max-sixty/tend/pull/1171 */
export function hasPendingReview({ pull }: PullRequest, by: Account): boolean {
  return pull.reviews.some((review) => review.user === by && review.state === "PENDING");
}

/** A commit of the pull request as it stands, or a head that it had. */
export async function isCommitOf(world: World, request: PullRequest, sha: string): Promise<boolean> {
  return request.pull.heads.includes(sha) || (await inspectPull(world, request)).commits.includes(sha);
}

/** Reviews answer with sentences where comments answer with fields. */
export function checkReviewBody(body: string | undefined): void {
  const message = lengthProblem(body);
  if (message) throw unprocessable(message);
}

/** Throws when the review was submitted before, or is a verdict on one's own pull request. */
export function submitReview(world: World, review: Review, event: ReviewEvent, body: string | undefined): void {
  const { pullRequest, user } = review;
  if (review.state !== "PENDING") throw unprocessable("Could not submit: the review is not pending");
  refuseOwnVerdict(pullRequest, event, user);
  if (body !== undefined) review.body = body;
  review.state = STATES[event];
  review.submittedAt = now();
  emitReview(world, review, { action: "submitted" }, user);
  for (const comment of pullRequest.pull.comments)
    if (comment.review === review) {
      const shapes = { comment: reviewCommentShape(world, comment), pull_request: pullShape(world, pullRequest) };
      emit(world, pullRequest.repository, "pull_request_review_comment", { action: "created", ...shapes }, user);
    }
}

export function emitReview(
  world: World,
  review: Review,
  payload: { action: string; changes?: unknown },
  by: Account,
): void {
  const { pullRequest } = review;
  const shapes = { review: hookReviewShape(world, review), pull_request: pullShape(world, pullRequest) };
  emit(world, pullRequest.repository, "pull_request_review", { ...payload, ...shapes }, by);
}

/** Only a verdict can be dismissed: https://docs.github.com/en/rest/pulls/reviews#dismiss-a-review-for-a-pull-request */
export function dismissReview(world: World, review: Review, by: Account): void {
  if (review.state !== "APPROVED" && review.state !== "CHANGES_REQUESTED")
    throw unprocessable(`Can not dismiss a ${review.state.toLowerCase()} pull request review`);
  review.state = "DISMISSED";
  emitReview(world, review, { action: "dismissed" }, by);
}

/** Only a pending review can be deleted, by its author:
 * https://docs.github.com/en/rest/pulls/reviews#delete-a-pending-review-for-a-pull-request */
export function deletePendingReview(world: World, review: Review, by: Account): void {
  if (review.state !== "PENDING")
    throw new Problem(422, "Unprocessable Entity", ["Can not delete a non-pending pull request review"]);
  if (review.user !== by) throw notFound();
  const { pull } = review.pullRequest;
  pull.reviews.splice(pull.reviews.indexOf(review), 1);
  for (const thread of pull.threads.filter((each) => each.comments[0]?.review === review)) {
    pull.threads.splice(pull.threads.indexOf(thread), 1);
    world.threads.delete(thread.id);
  }
  for (const comment of pull.comments.filter((each) => each.review === review)) {
    pull.comments.splice(pull.comments.indexOf(comment), 1);
    world.reviewComments.delete(comment.id);
  }
  world.reviews.delete(review.id);
}
