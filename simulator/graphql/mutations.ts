import { GraphQLError } from "graphql";
import { may, type Permission } from "../access/permissions.ts";
import { setDraft } from "../actions/change-pull.ts";
import { refuseUnready } from "../actions/merge-pull.ts";
import { createMergeGroup } from "../actions/merge-queue.ts";
import { revertPull } from "../actions/revert-pull.ts";
import { replyTo, setThreadResolved } from "../actions/review-comments.ts";
import { addReview, emitReview } from "../actions/reviews.ts";
import type { PullRequest, Repository, ReviewThread } from "../records.ts";
import { nodeId, readNodeId } from "../shapes/addresses.ts";
import { isPull, pullsOf, type World } from "../world.ts";
import { issueCommentNode, pullNode, reviewCommentNode, threadNode } from "./nodes.ts";
import type { GraphqlCaller } from "./queries.ts";

interface Input<T> {
  readonly input: T & { readonly clientMutationId?: string };
}

export function mutations(world: World, caller: GraphqlCaller) {
  const by = caller.user;

  /** Resolving writes to the repository in GitHub's eyes: pull_requests: write is not enough for an App.
   * https://github.com/orgs/community/discussions/44650 */
  const resolve = (threadId: string, resolved: boolean) => {
    const thread = threadOf(world, threadId);
    requirePermission(caller, thread.pullRequest.repository, "contents");
    setThreadResolved(world, thread, resolved, by);
    return { thread: threadNode(world, thread) };
  };
  /** An App needs contents: write as well: https://github.com/cli/cli/discussions/6924 and https://github.com/cli/cli/issues/8910 */
  const changeDraft = async (id: string, draft: boolean) => {
    const request = pullOf(world, id);
    for (const permission of ["pull_requests", "contents"] as const)
      requirePermission(caller, request.repository, permission);
    await setDraft(world, request, draft, by);
    return { pullRequest: pullNode(world, request) };
  };

  return {
    resolveReviewThread: ({ input }: Input<{ threadId: string }>) => resolve(input.threadId, true),
    unresolveReviewThread: ({ input }: Input<{ threadId: string }>) => resolve(input.threadId, false),
    addPullRequestReviewThreadReply: ({ input }: Input<{ pullRequestReviewThreadId: string; body: string }>) => {
      const thread = threadOf(world, input.pullRequestReviewThreadId);
      requirePermission(caller, thread.pullRequest.repository, "pull_requests");
      const commitId = thread.comments[0]?.originalCommitId ?? thread.pullRequest.pull.headSha;
      const review = addReview(world, thread.pullRequest, { user: by, body: "", state: "COMMENTED", commitId });
      emitReview(world, review, { action: "submitted" }, by);
      return { comment: reviewCommentNode(world, replyTo(world, review, thread, input.body)) };
    },
    minimizeComment: ({ input }: Input<{ subjectId: string; classifier: string }>) => {
      const { kind, number } = readNodeId(input.subjectId);
      const comment = kind === "IC" ? world.comments.get(number) : undefined;
      const reviewComment = kind === "PRRC" ? world.reviewComments.get(number) : undefined;
      const repository = comment?.issue.repository ?? reviewComment?.pullRequest.repository;
      if (!repository) throw missing(input.subjectId);
      const onIssue = comment !== undefined && !isPull(comment.issue);
      requirePermission(caller, repository, onIssue ? "issues" : "pull_requests");
      if (comment) comment.minimized = input.classifier;
      if (reviewComment) reviewComment.minimized = input.classifier;
      const node = comment
        ? issueCommentNode(world, comment)
        : reviewComment && reviewCommentNode(world, reviewComment);
      return { minimizedComment: node };
    },
    markPullRequestReadyForReview: ({ input }: Input<{ pullRequestId: string }>) =>
      changeDraft(input.pullRequestId, false),
    /** https://docs.github.com/en/graphql/reference/mutations#enqueuepullrequest */
    enqueuePullRequest: async ({ input }: Input<{ pullRequestId: string; expectedHeadOid?: string }>) => {
      const request = pullOf(world, input.pullRequestId);
      const { pull, repository } = request;
      for (const permission of ["pull_requests", "contents"] as const)
        requirePermission(caller, repository, permission);
      if (!repository.protections.get(pull.baseRef)?.queue) throw unprocessable("Merge queue is not enabled");
      if (input.expectedHeadOid !== undefined && input.expectedHeadOid !== pull.headSha)
        throw unprocessable("Head branch was modified. Review and try the merge again.");
      try {
        refuseUnready(request, true);
      } catch (problem) {
        throw unprocessable(problem instanceof Error ? problem.message : String(problem));
      }
      await createMergeGroup(world, repository, [request]);
      pull.queued = true;
      return { mergeQueueEntry: { id: nodeId("MQE", pull.id) } };
    },
    revertPullRequest: async ({ input }: Input<{ pullRequestId: string; title?: string; body?: string }>) => {
      const request = pullOf(world, input.pullRequestId);
      for (const permission of ["pull_requests", "contents"] as const)
        requirePermission(caller, request.repository, permission);
      const author = { user: by, viaApp: caller.kind === "installation" ? caller.app : null };
      const made = await revertPull(world, request, input, author).catch((problem: unknown) => {
        throw unprocessable(problem instanceof Error ? problem.message : String(problem));
      });
      return { pullRequest: pullNode(world, request), revertPullRequest: pullNode(world, made) };
    },
    convertPullRequestToDraft: ({ input }: Input<{ pullRequestId: string }>) => changeDraft(input.pullRequestId, true),
  };
}

function threadOf(world: World, id: string): ReviewThread {
  const { kind, number } = readNodeId(id);
  const thread = kind === "PRRT" ? world.threads.get(number) : undefined;
  if (!thread) throw missing(id);
  return thread;
}

function pullOf(world: World, id: string): PullRequest {
  const { kind, number } = readNodeId(id);
  const all = [...world.repositories.values()].flatMap(pullsOf);
  const found = kind === "PR" ? all.find((each) => each.pull.id === number) : undefined;
  if (!found) throw missing(id);
  return found;
}

function unprocessable(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type: "UNPROCESSABLE" } });
}

function requirePermission(caller: GraphqlCaller, repository: Repository, permission: Permission): void {
  if (may(caller, repository, permission, "write")) return;
  throw new GraphQLError("Resource not accessible by integration", { extensions: { type: "FORBIDDEN" } });
}

function missing(id: string): GraphQLError {
  return new GraphQLError(`Could not resolve to a node with the global id of '${id}'`, {
    extensions: { type: "NOT_FOUND" },
  });
}
