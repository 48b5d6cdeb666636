// Records as GraphQL objects. Fields that nothing here asks for resolve to null.

import { inspectPull } from "../facts/inspect-pull.ts";
import { latestRuns, runsOn } from "../facts/latest-runs.ts";
import { allChecksPass } from "../facts/required-checks.ts";
import type { Account, IssueComment, PullRequest, Review, ReviewComment, ReviewThread } from "../records.ts";
import { nodeId } from "../shapes/addresses.ts";
import { issuePage } from "../shapes/issue.ts";
import { mergeableState } from "../shapes/pull.ts";
import { fullName, type World } from "../world.ts";

interface PageArguments {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string;
}

/** Cursors are positions in the list. */
export function connection<T>(list: readonly T[], { first, last, after }: PageArguments) {
  const start = after === undefined || after === null ? 0 : Number(Buffer.from(after, "base64url").toString()) + 1;
  const rest = list.slice(start);
  const nodes = last ? rest.slice(-last) : rest.slice(0, first ?? rest.length);
  const end = start + nodes.length;
  const cursor = (index: number) => Buffer.from(String(index)).toString("base64url");
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursor(start + index) })),
    totalCount: list.length,
    pageInfo: {
      hasNextPage: !last && end < list.length,
      hasPreviousPage: start > 0,
      startCursor: nodes.length > 0 ? cursor(start) : null,
      endCursor: nodes.length > 0 ? cursor(end - 1) : null,
    },
  };
}

/** A bot's login has no "[bot]" here, other than in REST. */
export function actorNode(account: Account) {
  const isBot = account.type === "Bot";
  return {
    __typename: account.type,
    id: nodeId(isBot ? "BOT" : "U", account.id),
    databaseId: account.id,
    login: isBot ? account.login.replace("[bot]", "") : account.login,
  };
}

function minimizedFields({ minimized }: { minimized: string | null }) {
  return { isMinimized: minimized !== null, minimizedReason: minimized?.toLowerCase() ?? null };
}

export function issueCommentNode(world: World, comment: IssueComment) {
  return {
    __typename: "IssueComment",
    id: nodeId("IC", comment.id),
    databaseId: comment.id,
    fullDatabaseId: comment.id,
    body: comment.body,
    author: actorNode(comment.user),
    url: `${issuePage(world, comment.issue)}#issuecomment-${comment.id}`,
    createdAt: comment.createdAt,
    ...minimizedFields(comment),
  };
}

export function reviewNode(world: World, review: Review) {
  return {
    __typename: "PullRequestReview",
    id: nodeId("PRR", review.id),
    databaseId: review.id,
    fullDatabaseId: review.id,
    body: review.body,
    state: review.state,
    author: actorNode(review.user),
    url: `${issuePage(world, review.pullRequest)}#pullrequestreview-${review.id}`,
    submittedAt: review.submittedAt,
    commit: { oid: review.commitId },
  };
}

export function reviewCommentNode(world: World, comment: ReviewComment) {
  const { anchor, current } = comment;
  return {
    __typename: "PullRequestReviewComment",
    id: nodeId("PRRC", comment.id),
    databaseId: comment.id,
    fullDatabaseId: comment.id,
    body: comment.body,
    author: actorNode(comment.user),
    path: comment.path,
    url: `${issuePage(world, comment.pullRequest)}#discussion_r${comment.id}`,
    createdAt: comment.createdAt,
    outdated: current === null,
    line: current?.line ?? null,
    startLine: current?.startLine ?? null,
    originalLine: anchor.line,
    originalStartLine: anchor.startLine,
    subjectType: anchor.subjectType.toUpperCase(),
    commit: { oid: comment.commitId },
    originalCommit: { oid: comment.originalCommitId },
    pullRequestReview: () => reviewNode(world, comment.review),
    ...minimizedFields(comment),
  };
}

export function threadNode(world: World, thread: ReviewThread) {
  const [first] = thread.comments;
  if (!first) throw new Error("a thread has at least one comment");
  const { anchor, current } = first;
  return {
    __typename: "PullRequestReviewThread",
    id: nodeId("PRRT", thread.id),
    isResolved: thread.resolvedBy !== null,
    isOutdated: current === null,
    isCollapsed: thread.resolvedBy !== null,
    resolvedBy: thread.resolvedBy ? actorNode(thread.resolvedBy) : null,
    path: first.path,
    line: current?.line ?? null,
    startLine: current?.startLine ?? null,
    originalLine: anchor.line,
    originalStartLine: anchor.startLine,
    diffSide: anchor.side,
    startDiffSide: anchor.startSide,
    subjectType: anchor.subjectType.toUpperCase(),
    viewerCanResolve: true,
    viewerCanReply: true,
    pullRequest: () => pullNode(world, thread.pullRequest),
    comments: (page: PageArguments) =>
      connection(
        thread.comments.map((comment) => reviewCommentNode(world, comment)),
        page,
      ),
  };
}

/** What is asked about merging it; the state depends on who asks, as there are Apps that may go around the protection. */
export function mergingOf(world: World, caller: { readonly user: Account }, request: PullRequest) {
  const { repository, pull } = request;
  const protection = repository.protections.get(pull.baseRef);
  const bypasses = protection?.bypass?.includes(caller.user.login.replace("[bot]", "")) ?? false;
  const runs = latestRuns(runsOn(repository, pull.headSha));
  const statuses = new Map(
    repository.statuses.filter(({ sha }) => sha === pull.headSha).map((one) => [one.context, one]),
  );
  const isPending =
    runs.some(({ status }) => status !== "completed") || [...statuses.values()].some((one) => one.state === "pending");
  const state = allChecksPass(repository, pull.headSha) ? "SUCCESS" : isPending ? "PENDING" : "FAILURE";
  return {
    mergeStateStatus: async () => {
      const { mergeable } = await inspectPull(world, request);
      const said = mergeableState(request, mergeable).toUpperCase();
      return bypasses && said === "BLOCKED" ? "CLEAN" : said;
    },
    isMergeQueueEnabled: protection?.queue ?? false,
    isInMergeQueue: pull.queued ?? false,
    viewerCanMergeAsAdmin: bypasses,
    statusCheckRollup: runs.length + statuses.size > 0 ? { state } : null,
    baseRef: {
      refUpdateRule: protection
        ? {
            requiredApprovingReviewCount: protection.approvals ?? null,
            requiredStatusCheckContexts: [...protection.requiredChecks],
          }
        : null,
      rules: () => connection(protection?.queue ? [{ type: "MERGE_QUEUE", parameters: null }] : [], {}),
    },
  };
}

export function pullNode(world: World, request: PullRequest) {
  const { pull } = request;
  const submitted = pull.reviews.filter((review) => review.state !== "PENDING");
  const threads = pull.threads.filter((thread) => thread.comments[0]?.review.state !== "PENDING");
  return {
    __typename: "PullRequest",
    id: nodeId("PR", pull.id),
    databaseId: pull.id,
    fullDatabaseId: pull.id,
    number: request.number,
    title: request.title,
    body: request.body ?? "",
    isDraft: pull.draft,
    merged: pull.mergedAt !== null,
    state: pull.mergedAt ? "MERGED" : request.state.toUpperCase(),
    url: issuePage(world, request),
    author: actorNode(request.user),
    headRefName: pull.headRef,
    headRefOid: pull.headSha,
    baseRefName: pull.baseRef,
    baseRefOid: pull.baseSha,
    isCrossRepository: pull.headRepository !== request.repository,
    repository: { nameWithOwner: fullName(request.repository) },
    reviewThreads: (page: PageArguments) =>
      connection(
        threads.map((thread) => threadNode(world, thread)),
        page,
      ),
    reviews: (page: PageArguments) =>
      connection(
        submitted.map((review) => reviewNode(world, review)),
        page,
      ),
    comments: (page: PageArguments) =>
      connection(
        request.comments.map((each) => issueCommentNode(world, each)),
        page,
      ),
  };
}
