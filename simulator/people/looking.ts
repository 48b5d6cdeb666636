// What a person sees on the page of a pull request, as data.
import { latestRuns, runsOn } from "../facts/latest-runs.ts";
import type { CheckRun, Issue, IssueComment, PullRequest, Reaction, Review, ReviewComment } from "../records.ts";
import { fullName, requireIssue, requirePull, requireRepository, type World } from "../world.ts";

export type PullRequestView = ReturnType<typeof viewOf>;

export function looking(world: World) {
  function pullRequest(ownerRepo: string, number: number): PullRequestView {
    return viewOf(requirePull(world, ownerRepo, number));
  }

  function issue(ownerRepo: string, number: number) {
    return conversationView(requireIssue(world, ownerRepo, number));
  }

  /** Every run on a head, the newest last; a merge group's head belongs to no pull request. */
  function checkRunsOn(ownerRepo: string, sha: string) {
    return runsOn(requireRepository(world, ownerRepo), sha).map(checkRunView);
  }

  return { pullRequest, issue, checkRunsOn };
}

function viewOf(request: PullRequest) {
  const { pull, repository } = request;
  const submitted = pull.reviews.filter((review) => review.state !== "PENDING");
  const comments = pull.comments.filter((comment) => comment.review.state !== "PENDING");
  return {
    ...conversationView(request),
    draft: pull.draft,
    merged: pull.mergedAt !== null,
    baseRef: pull.baseRef,
    baseSha: pull.baseSha,
    headRef: pull.headRef,
    headSha: pull.headSha,
    headRepository: pull.headRepository ? fullName(pull.headRepository) : null,
    /** Every head, oldest first. */
    heads: [...pull.heads],
    reviews: submitted.map((review) => reviewView(review)),
    pendingReviews: pull.reviews.filter((review) => review.state === "PENDING").map((review) => reviewView(review)),
    reviewComments: comments.map((comment) => reviewCommentView(comment)),
    /** The newest run of each name on the head. */
    checkRuns: latestRuns(runsOn(repository, pull.headSha)).map(checkRunView),
    /** Every run on every head this pull request had. */
    allCheckRuns: [...new Set(pull.heads)].flatMap((sha) => runsOn(repository, sha)).map(checkRunView),
  };
}

function conversationView(issue: Issue) {
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    stateReason: issue.stateReason,
    by: issue.user.login,
    labels: issue.labels.map((label) => label.name),
    comments: issue.comments.map(commentView),
    reactions: issue.reactions.map(reactionView),
  };
}

function commentView(comment: IssueComment) {
  const { id, user, body, minimized, reactions } = comment;
  return { id, by: user.login, body, minimized: minimized !== null, reactions: reactions.map(reactionView) };
}

function reviewView({ id, user, state, body, commitId, pullRequest }: Review) {
  const own = pullRequest.pull.comments.filter((comment) => comment.review.id === id);
  return { id, by: user.login, state, body, commitId, comments: own.map((comment) => reviewCommentView(comment)) };
}

function reviewCommentView(comment: ReviewComment) {
  const { id, user, anchor, current, path, body, pullRequest, reactions } = comment;
  const thread = pullRequest.pull.threads.find((each) => each.comments.includes(comment));
  return {
    id,
    by: user.login,
    path,
    /** Where it was made. */
    line: anchor.line,
    startLine: anchor.startLine,
    side: anchor.side,
    subjectType: anchor.subjectType,
    body,
    commitId: comment.originalCommitId,
    reviewId: comment.review.id,
    inReplyTo: comment.inReplyTo?.id ?? null,
    /** Where it stands on the newest head; null when outdated. */
    currentLine: current?.line ?? null,
    outdated: current === null,
    threadId: thread?.id ?? null,
    threadResolved: thread ? thread.resolvedBy !== null : false,
    minimized: comment.minimized !== null,
    reactions: reactions.map(reactionView),
  };
}

function reactionView({ content, user }: Reaction) {
  return { content, by: user.login };
}

function checkRunView(run: CheckRun) {
  const { id, name, status, conclusion, externalId, detailsUrl, output, annotations, actions, suite } = run;
  return {
    id,
    name,
    status,
    conclusion,
    detailsUrl,
    externalId,
    headSha: suite.headSha,
    app: suite.app.slug,
    suiteId: suite.id,
    title: output.title,
    summary: output.summary,
    text: output.text,
    annotations: [...annotations],
    actions: [...actions],
  };
}
