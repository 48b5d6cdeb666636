import { z } from "zod";
import { defined } from "../domain/defined.ts";
import { type AskOptions, createAsk, type Octokit } from "./ask.ts";
import type {
  Annotation,
  CheckButton,
  CheckOutput,
  CheckProgress,
  CheckRun,
  GitHubRepository,
  Review,
} from "./github-repository.ts";
import { octokitMerging } from "./merge-state.ts";
import { octokitDeployments } from "./octokit-deployments.ts";
import { octokitIssues } from "./octokit-issues.ts";
import { octokitPulls, octokitThreads } from "./octokit-pulls.ts";
import { octokitRules } from "./rule-host.ts";

const CheckRunAnswer = z
  .object({ id: z.number(), status: z.string(), external_id: z.string().nullish(), html_url: z.string().nullish() })
  .transform(
    ({ id, status, external_id, html_url }): CheckRun => ({
      id,
      status,
      externalId: external_id ?? "",
      ...defined({ url: html_url || undefined }),
    }),
  );
const CheckRuns = z.object({ check_runs: z.array(CheckRunAnswer) }).transform(({ check_runs: found }) => found);
const Created = z.object({ id: z.number() });
const Author = z.object({ type: z.string() }).nullish();
const VERDICTS: Readonly<Record<string, Review["verdict"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes_requested",
};
const ReviewAnswer = z
  .object({
    id: z.number(),
    state: z.string(),
    body: z.string().nullish(),
    user: Author,
    commit_id: z.string().nullish(),
  })
  .transform(({ id, state, body, user, commit_id: commitId }) => ({
    id,
    pending: state === "PENDING",
    body: body ?? "",
    byBot: user?.type === "Bot",
    ...defined({ verdict: VERDICTS[state], commitId: commitId ?? undefined }),
  }));
const CommentAnswer = z
  .object({ id: z.number(), body: z.string(), user: Author })
  .transform(({ id, body, user }) => ({ id, body, byBot: user?.type === "Bot" }));
const AnnotationAnswer = z
  .object({ path: z.string(), start_line: z.number(), message: z.string().nullish() })
  .transform(({ path, start_line, message }) => ({ path, startLine: start_line, message: message ?? "" }));

/** GitHub through an Octokit of one installation, for one repository. Its retry and throttling plugins must be off: the write budget and the queue do that. */
export function octokitRepository(
  octokit: Octokit,
  repository: { readonly owner: string; readonly name: string; readonly id?: number },
  options: AskOptions = {},
): GitHubRepository {
  const asking = createAsk(octokit, repository, options);
  const { ask, askAll, find, pages } = asking;
  const checks = "/repos/{owner}/{repo}/check-runs";
  const pulls = "/repos/{owner}/{repo}/pulls/{pull_number}";
  return {
    createCheckRun: (checkRun) =>
      ask(CheckRunAnswer, `POST ${checks}`, {
        name: checkRun.name,
        head_sha: checkRun.headSha,
        external_id: checkRun.externalId,
        ...defined({ details_url: checkRun.detailsUrl }),
        ...progressFields(checkRun),
        output: outputFields(checkRun.output),
        ...buttonFields(checkRun.buttons),
      }),
    updateCheckRun: (id, change) =>
      ask(CheckRunAnswer, `PATCH ${checks}/{check_run_id}`, {
        check_run_id: id,
        ...progressFields(change),
        output: outputFields(change.output),
        ...buttonFields(change.buttons),
      }),
    getCheckRun: (id) => ask(CheckRunAnswer, `GET ${checks}/{check_run_id}`, { check_run_id: id }),
    findCheckRun: async ({ headSha, name, externalId }) => {
      const route = "GET /repos/{owner}/{repo}/commits/{ref}/check-runs";
      for await (const found of pages(CheckRuns, route, { ref: headSha, check_name: name, filter: "all" })) {
        const ours = found.filter((run) => run.externalId === externalId).sort((a, b) => b.id - a.id)[0];
        if (ours) return ours;
      }
      return undefined;
    },
    listAnnotations: (id) => askAll(AnnotationAnswer, `GET ${checks}/{check_run_id}/annotations`, { check_run_id: id }),
    createReview: (pull, review) =>
      ask(Created, `POST ${pulls}/reviews`, {
        pull_number: pull,
        commit_id: review.commitId,
        body: review.body,
        ...(review.event === "PENDING" ? {} : { event: review.event }),
        comments: review.comments.map(({ path, line, startLine, body }) => ({
          path,
          body,
          line,
          side: "RIGHT",
          ...(startLine === undefined ? {} : { start_line: startLine, start_side: "RIGHT" }),
        })),
      }),
    listReviews: (pull) => askAll(ReviewAnswer, `GET ${pulls}/reviews`, { pull_number: pull }),
    dismissReview: async (pull, reviewId, message) => {
      const route = `PUT ${pulls}/reviews/{review_id}/dismissals`;
      await ask(Created, route, { pull_number: pull, review_id: reviewId, message });
    },
    deletePendingReview: async (pull, reviewId) => {
      // Gone is what it should be.
      await find(Created, `DELETE ${pulls}/reviews/{review_id}`, { pull_number: pull, review_id: reviewId });
    },
    listCommentsOfReview: (pull, reviewId) =>
      askAll(CommentAnswer, `GET ${pulls}/reviews/{review_id}/comments`, { pull_number: pull, review_id: reviewId }),
    createFileComment: (pull, { commitId, path, body }) =>
      ask(Created, `POST ${pulls}/comments`, {
        pull_number: pull,
        commit_id: commitId,
        path,
        body,
        subject_type: "file",
      }),
    listReviewComments: (pull) => askAll(CommentAnswer, `GET ${pulls}/comments`, { pull_number: pull }),
    replyInThread: (pull, thread, body) =>
      ask(Created, `POST ${pulls}/comments/{comment_id}/replies`, { pull_number: pull, comment_id: thread, body }),
    createComment: (pull, body) =>
      ask(Created, "POST /repos/{owner}/{repo}/issues/{issue_number}/comments", { issue_number: pull, body }),
    updateComment: async (commentId, body) => {
      await ask(Created, "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: commentId, body });
    },
    findComment: (commentId) =>
      find(CommentAnswer, "GET /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: commentId }),
    listComments: (pull) =>
      askAll(CommentAnswer, "GET /repos/{owner}/{repo}/issues/{issue_number}/comments", { issue_number: pull }),
    react: async (on, commentId, content) => {
      const place = on === "issue_comment" ? "issues" : "pulls";
      const route = `POST /repos/{owner}/{repo}/${place}/comments/{comment_id}/reactions`;
      await ask(Created, route, { comment_id: commentId, content });
    },
    ...octokitIssues(asking),
    ...octokitPulls(asking, repository),
    ...octokitThreads(asking, repository),
    ...octokitMerging(asking, repository),
    ...octokitDeployments(asking),
    ...octokitRules(asking),
  };
}

function progressFields(progress: CheckProgress): Record<string, string> {
  switch (progress.status) {
    case "queued":
      return { status: "queued" };
    case "in_progress":
      return { status: "in_progress", ...defined({ started_at: progress.startedAt || undefined }) };
    case "completed":
      return { status: "completed", conclusion: progress.conclusion, completed_at: progress.completedAt };
  }
}

function buttonFields(buttons: readonly CheckButton[] | undefined): Record<string, unknown> {
  return buttons === undefined ? {} : { actions: buttons.map((button) => ({ ...button })) };
}

function outputFields({ title, summary, annotations = [] }: CheckOutput): Record<string, unknown> {
  return { title, summary, ...(annotations.length > 0 ? { annotations: annotations.map(annotationFields) } : {}) };
}

function annotationFields(annotation: Annotation): Record<string, unknown> {
  const { path, startLine, endLine, startColumn, endColumn, level, title, message } = annotation;
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    ...defined({ start_column: startColumn, end_column: endColumn }),
    annotation_level: level,
    title,
    message,
  };
}
