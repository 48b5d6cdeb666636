import type { Review, ReviewComment, ReviewThread } from "../records.ts";
import type { World } from "../world.ts";
import { userShape } from "./account.ts";
import { nodeId, repositoryApi } from "./addresses.ts";
import { authorAssociation, issuePage, reactionTotals } from "./issue.ts";

function reviewLinks(world: World, review: Review) {
  const { pullRequest } = review;
  return {
    html: `${issuePage(world, pullRequest)}#pullrequestreview-${review.id}`,
    pull_request: `${repositoryApi(world, pullRequest.repository)}/pulls/${pullRequest.number}`,
  };
}

export function reviewShape(world: World, review: Review) {
  const links = reviewLinks(world, review);
  return {
    id: review.id,
    node_id: nodeId("PRR", review.id),
    user: userShape(world, review.user),
    body: review.body,
    state: review.state,
    html_url: links.html,
    pull_request_url: links.pull_request,
    _links: { html: { href: links.html }, pull_request: { href: links.pull_request } },
    ...(review.submittedAt ? { submitted_at: review.submittedAt } : {}),
    commit_id: review.commitId,
    author_association: authorAssociation(review.pullRequest.repository, review.user),
  };
}

/** Webhooks write the state in lower case and an empty body as null. */
export function hookReviewShape(world: World, review: Review) {
  return {
    ...reviewShape(world, review),
    body: review.body || null,
    state: review.state.toLowerCase(),
    submitted_at: review.submittedAt,
    updated_at: review.submittedAt,
  };
}

export function reviewCommentShape(world: World, comment: ReviewComment) {
  const { pullRequest, anchor, current } = comment;
  const repository = repositoryApi(world, pullRequest.repository);
  const api = `${repository}/pulls/comments/${comment.id}`;
  const page = `${issuePage(world, pullRequest)}#discussion_r${comment.id}`;
  const pull = `${repository}/pulls/${pullRequest.number}`;
  return {
    url: api,
    pull_request_review_id: comment.review.id,
    id: comment.id,
    node_id: nodeId("PRRC", comment.id),
    diff_hunk: anchor.diffHunk,
    path: comment.path,
    commit_id: comment.commitId,
    original_commit_id: comment.originalCommitId,
    user: userShape(world, comment.user),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: page,
    pull_request_url: pull,
    author_association: authorAssociation(pullRequest.repository, comment.user),
    _links: { self: { href: api }, html: { href: page }, pull_request: { href: pull } },
    reactions: reactionTotals(api, comment.reactions),
    start_line: current?.startLine ?? null,
    original_start_line: anchor.startLine,
    start_side: anchor.startSide,
    line: current?.line ?? null,
    original_line: anchor.line,
    side: anchor.side,
    position: current === null ? null : (anchor.position ?? 1),
    original_position: anchor.position ?? 1,
    subject_type: anchor.subjectType,
    ...(comment.inReplyTo ? { in_reply_to_id: comment.inReplyTo.id } : {}),
  };
}

/** Comments of one review are listed in the older shape, as in GitHub's example: position instead of lines.
 * https://docs.github.com/en/rest/pulls/reviews#list-comments-for-a-pull-request-review */
export function legacyReviewCommentShape(world: World, comment: ReviewComment) {
  const { line, start_line, original_start_line, side, start_side, original_line, subject_type, ...legacy } =
    reviewCommentShape(world, comment);
  return legacy;
}

export function hookThreadShape(world: World, thread: ReviewThread) {
  return {
    node_id: nodeId("PRRT", thread.id),
    comments: thread.comments.map((comment) => reviewCommentShape(world, comment)),
  };
}
