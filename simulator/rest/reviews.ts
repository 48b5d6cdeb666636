// https://docs.github.com/en/rest/pulls/reviews
import {
  checkReviewBody,
  createReview,
  deletePendingReview,
  dismissReview,
  emitReview,
  type NewReview,
  submitReview,
} from "../actions/reviews.ts";
import { forbidden, notFound } from "../problem.ts";
import type { PullRequest, Review, ReviewEvent } from "../records.ts";
import { legacyReviewCommentShape, reviewShape } from "../shapes/review.ts";
import type { World } from "../world.ts";
import { actorOf, bodyOf, type Call, createRoutes, numberParameter, pullOf, requireRole } from "./call.ts";
import { pageOf } from "./pages.ts";

export function reviewRoutes(world: World) {
  const routes = createRoutes();
  const base = "/repos/:owner/:repo/pulls/:number/reviews";

  routes.get(base, (call) => {
    const { pull } = pullOf(world, call, "read");
    const visible = pull.reviews.filter((review) => isVisible(call, review));
    return call.json(pageOf(world, call, visible).map((review) => reviewShape(world, review)));
  });
  routes.post(base, async (call) => {
    const request = pullOf(world, call, "write");
    const wanted = bodyOf<NewReview>(call);
    refuseClosedVerdict(request, wanted.event);
    return call.json(reviewShape(world, await createReview(world, request, wanted, actorOf(call))));
  });
  routes.get(`${base}/:review`, (call) => call.json(reviewShape(world, reviewOf(world, call, "read"))));
  routes.put(`${base}/:review`, (call) => {
    const review = ownReview(world, call);
    const { body } = bodyOf<{ body: string }>(call);
    checkReviewBody(body);
    const changes = { body: { from: review.body } };
    review.body = body;
    if (review.state !== "PENDING") emitReview(world, review, { action: "edited", changes }, review.user);
    return call.json(reviewShape(world, review));
  });
  routes.delete(`${base}/:review`, (call) => {
    const review = reviewOf(world, call, "write");
    deletePendingReview(world, review, actorOf(call));
    return call.json(reviewShape(world, review));
  });
  routes.get(`${base}/:review/comments`, (call) => {
    const review = reviewOf(world, call, "read");
    const comments = review.pullRequest.pull.comments.filter((comment) => comment.review === review);
    return call.json(pageOf(world, call, comments).map((comment) => legacyReviewCommentShape(world, comment)));
  });
  routes.post(`${base}/:review/events`, (call) => {
    const review = ownReview(world, call);
    const { event, body } = bodyOf<{ event: ReviewEvent; body?: string }>(call);
    submitReview(world, review, event, body);
    return call.json(reviewShape(world, review));
  });
  routes.put(`${base}/:review/dismissals`, (call) => {
    const review = reviewOf(world, call, "write");
    requireRole(call, review.pullRequest.repository, "write");
    dismissReview(world, review, actorOf(call));
    return call.json(reviewShape(world, review));
  });
  return routes;
}

/** A pending review is seen by its author only. */
function isVisible(call: Call, review: Review): boolean {
  const caller = call.get("caller");
  return review.state !== "PENDING" || ("user" in caller && caller.user === review.user);
}

function reviewOf(world: World, call: Call, level: "read" | "write"): Review {
  const request = pullOf(world, call, level);
  const review = world.reviews.get(numberParameter(call, "review"));
  if (!review || review.pullRequest !== request || !isVisible(call, review)) throw notFound();
  return review;
}

function ownReview(world: World, call: Call): Review {
  const review = reviewOf(world, call, "write");
  if (review.user !== actorOf(call)) throw forbidden("Must be the author of the review.");
  return review;
}

/** A closed pull request takes comments but no verdict. */
function refuseClosedVerdict(request: PullRequest, event: ReviewEvent | undefined): void {
  if (request.state === "closed" && event !== undefined && event !== "COMMENT")
    throw forbidden("Can not submit a verdict on a closed pull request.");
}
