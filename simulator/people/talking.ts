// What people say and press: comments, reviews, labels, reactions, buttons.
import { pressButton, rerequestRun } from "../actions/check-runs.ts";
import { rerequestSuite } from "../actions/check-suites.ts";
import {
  addComment,
  addReaction,
  editComment as changeComment,
  deleteComment as removeComment,
} from "../actions/issue-comments.ts";
import {
  editIssue as changeIssue,
  labelIssue,
  openIssue as makeIssue,
  setIssueState,
  unlabelIssue,
} from "../actions/issues.ts";
import { replyTo, setThreadResolved, threadOf } from "../actions/review-comments.ts";
import {
  addReview,
  createReview,
  dismissReview as dismiss,
  emitReview,
  type ProposedComment,
} from "../actions/reviews.ts";
import type { CheckRun, CheckSuite, IssueComment, Reaction, Review, ReviewComment, ReviewEvent } from "../records.ts";
import { requireAccount, requireIssue, requirePull, requireRepository, type World } from "../world.ts";

export interface IssueOptions {
  readonly title: string;
  /** Null, or left out: an issue without a description. */
  readonly body?: string | null;
  readonly labels?: readonly string[];
  readonly by: string;
}

export interface ReviewOptions {
  readonly by: string;
  readonly event: ReviewEvent;
  readonly body?: string;
  readonly comments?: readonly ProposedComment[];
}

/** What a reaction is put on. */
export type ReactionTarget =
  | { readonly issue: number }
  | { readonly comment: number }
  | { readonly reviewComment: number };

export function talking(world: World) {
  function openIssue(ownerRepo: string, options: IssueOptions): { number: number } {
    const { title, body = null, labels = [], by } = options;
    const author = { user: requireAccount(world, by), viaApp: null };
    return { number: makeIssue(world, requireRepository(world, ownerRepo), { title, body, labels }, author).number };
  }

  /** Title and body. */
  function editIssue(
    ownerRepo: string,
    number: number,
    by: string,
    edit: { readonly title?: string; readonly body?: string | null },
  ): void {
    changeIssue(world, requireIssue(world, ownerRepo, number), edit, requireAccount(world, by));
  }

  /** Nothing happens when it is closed already. */
  function closeIssue(
    ownerRepo: string,
    number: number,
    by: string,
    reason: "completed" | "not_planned" = "completed",
  ): void {
    setIssueState(world, requireIssue(world, ownerRepo, number), "closed", reason, requireAccount(world, by));
  }

  /** Nothing happens when it is open. */
  function reopenIssue(ownerRepo: string, number: number, by: string): void {
    setIssueState(world, requireIssue(world, ownerRepo, number), "open", null, requireAccount(world, by));
  }

  /** A comment on an issue or in the conversation of a pull request. */
  function comment(ownerRepo: string, number: number, options: { by: string; body: string }): { id: number } {
    const author = { user: requireAccount(world, options.by), viaApp: null };
    return { id: addComment(world, requireIssue(world, ownerRepo, number), options.body, author).id };
  }

  function editComment(commentId: number, options: { by: string; body: string }): void {
    changeComment(
      world,
      found<IssueComment>(world.comments, commentId),
      options.body,
      requireAccount(world, options.by),
    );
  }

  function deleteComment(commentId: number, by: string): void {
    removeComment(world, found<IssueComment>(world.comments, commentId), requireAccount(world, by));
  }

  function replyToReviewComment(
    ownerRepo: string,
    number: number,
    commentId: number,
    options: { by: string; body: string },
  ): { id: number } {
    const request = requirePull(world, ownerRepo, number);
    const target = found<ReviewComment>(world.reviewComments, commentId);
    const user = requireAccount(world, options.by);
    const review = addReview(world, request, { user, body: "", state: "COMMENTED", commitId: target.originalCommitId });
    emitReview(world, review, { action: "submitted" }, user);
    return { id: replyTo(world, review, threadOf(target), options.body).id };
  }

  async function submitReview(ownerRepo: string, number: number, options: ReviewOptions): Promise<{ id: number }> {
    const { by, ...review } = options;
    return {
      id: (await createReview(world, requirePull(world, ownerRepo, number), review, requireAccount(world, by))).id,
    };
  }

  function dismissReview(reviewId: number, by: string): void {
    dismiss(world, found<Review>(world.reviews, reviewId), requireAccount(world, by));
  }

  /** The thread that a review comment belongs to. */
  function resolveThread(commentId: number, by: string): void {
    const comment = found<ReviewComment>(world.reviewComments, commentId);
    setThreadResolved(world, threadOf(comment), true, requireAccount(world, by));
  }

  function unresolveThread(commentId: number, by: string): void {
    const comment = found<ReviewComment>(world.reviewComments, commentId);
    setThreadResolved(world, threadOf(comment), false, requireAccount(world, by));
  }

  async function addLabel(ownerRepo: string, number: number, label: string, by: string): Promise<void> {
    await labelIssue(world, requireIssue(world, ownerRepo, number), label, requireAccount(world, by));
  }

  async function removeLabel(ownerRepo: string, number: number, label: string, by: string): Promise<void> {
    await unlabelIssue(world, requireIssue(world, ownerRepo, number), label, requireAccount(world, by));
  }

  function react(ownerRepo: string, target: ReactionTarget, content: string, by: string): void {
    addReaction(world, reactionsOf(ownerRepo, target), content, requireAccount(world, by));
  }

  function reactionsOf(ownerRepo: string, target: ReactionTarget): Reaction[] {
    if ("issue" in target) return requireIssue(world, ownerRepo, target.issue).reactions;
    if ("comment" in target) return found<IssueComment>(world.comments, target.comment).reactions;
    return found<ReviewComment>(world.reviewComments, target.reviewComment).reactions;
  }

  /** The "Re-run" button of one check. */
  function rerequestCheckRun(_ownerRepo: string, checkRunId: number, by: string): void {
    rerequestRun(world, found<CheckRun>(world.checkRuns, checkRunId), requireAccount(world, by));
  }

  /** The "Re-run all checks" button. */
  function rerequestCheckSuite(_ownerRepo: string, checkSuiteId: number, by: string): void {
    rerequestSuite(world, found<CheckSuite>(world.checkSuites, checkSuiteId), requireAccount(world, by));
  }

  /** One of the buttons that an App put on its check run. Throws when there is no such button. */
  function pressCheckRunButton(_ownerRepo: string, checkRunId: number, identifier: string, by: string): void {
    pressButton(world, found<CheckRun>(world.checkRuns, checkRunId), identifier, requireAccount(world, by));
  }

  return {
    openIssue,
    editIssue,
    closeIssue,
    reopenIssue,
    comment,
    editComment,
    deleteComment,
    replyToReviewComment,
    submitReview,
    dismissReview,
    resolveThread,
    unresolveThread,
    addLabel,
    removeLabel,
    react,
    rerequestCheckRun,
    rerequestCheckSuite,
    pressCheckRunButton,
  };
}

function found<T>(records: ReadonlyMap<number, T>, id: number): T {
  const record = records.get(id);
  if (!record) throw new Error(`nothing with the id ${id} in the simulator`);
  return record;
}
