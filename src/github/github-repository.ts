import type { MergeState } from "../domain/merging.ts";
import type { CheckName, Conclusion } from "../domain/phases.ts";

/** One annotation as the Checks API takes it. Columns are allowed on a single line only. */
export interface Annotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn?: number;
  readonly endColumn?: number;
  readonly level: "notice" | "warning" | "failure";
  /** At most 255 characters. */
  readonly title: string;
  /** At most 64 KB; shown as plain text. */
  readonly message: string;
}

/** What stands in a check-run. `annotations` (at most 50) are added to those that are there already. */
export interface CheckOutput {
  readonly title: string;
  readonly summary: string;
  readonly annotations?: readonly Annotation[];
}

/** Where a check-run stands. Moments are ISO 8601 in UTC. */
export type CheckProgress =
  | { readonly status: "queued" }
  | { readonly status: "in_progress"; readonly startedAt?: string }
  | { readonly status: "completed"; readonly conclusion: Conclusion; readonly completedAt: string };

/** A button on a check-run: a label and an identifier of at most 20 characters, a description of at most 40; at most 3 a check-run. */
export interface CheckButton {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

export type Reaction = "eyes" | "rocket" | "confused";

export type NewCheckRun = CheckProgress & {
  readonly name: CheckName;
  readonly headSha: string;
  readonly externalId: string;
  readonly output: CheckOutput;
  readonly buttons?: readonly CheckButton[];
  /** Where "Details" leads; without it GitHub takes the App's own page. */
  readonly detailsUrl?: string;
};

export interface CheckRun {
  readonly id: number;
  readonly status: string;
  readonly externalId: string;
  /** Its page for people. */
  readonly url?: string;
}

/** A line comment of a review; `startLine` only when it spans more than one line. Lines are of the new side. */
export interface LineComment {
  readonly path: string;
  readonly line: number;
  readonly startLine?: number;
  readonly body: string;
}

export interface NewReview {
  readonly commitId: string;
  readonly body: string;
  readonly comments: readonly LineComment[];
  /** A pending one is seen by nobody but the App until it is submitted; there can be one a pull request. */
  readonly event: "COMMENT" | "PENDING" | "APPROVE" | "REQUEST_CHANGES";
}

export interface Review {
  readonly id: number;
  readonly pending: boolean;
  readonly body: string;
  /** Whether a bot wrote it: a person may have copied a marker. */
  readonly byBot: boolean;
  /** What it says, as long as nobody dismissed it. */
  readonly verdict?: "approved" | "changes_requested";
  /** The head that it was given to. */
  readonly commitId?: string;
}

export interface ReviewComment {
  readonly id: number;
  readonly body: string;
  readonly byBot: boolean;
}

/** A conversation about lines of a pull request. */
export interface ReviewThread {
  /** GitHub's node id. */
  readonly id: string;
  readonly resolved: boolean;
  /** Whether a bot began it. */
  readonly byBot: boolean;
}

/** A pull request as effects see it. */
export interface PullOnGitHub {
  readonly number: number;
  /** GitHub's node id. */
  readonly id: string;
  readonly open: boolean;
  readonly draft: boolean;
  readonly title: string;
  readonly body: string;
  readonly headRef: string;
  readonly headSha: string;
  /** Whether a bot opened it. */
  readonly byBot: boolean;
}

/** An issue as effects see it. */
export interface IssueOnGitHub {
  readonly number: number;
  readonly body: string;
  readonly open: boolean;
  /** How many there are. */
  readonly comments: number;
}

export interface NewPull {
  readonly title: string;
  readonly body: string;
  /** A branch of this repository. */
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
}

/** A deployment as it was requested. */
export interface DeploymentOnGitHub {
  readonly id: number;
  /** An object, text, or nothing. */
  readonly payload: unknown;
  /** Whether a bot requested it. */
  readonly byBot: boolean;
}

export interface NewDeployment {
  /** A branch, or a whole SHA. */
  readonly ref: string;
  readonly task: string;
  readonly environment: string;
  readonly production: boolean;
  readonly payload: Readonly<Record<string, unknown>>;
  /** At most 140 characters. */
  readonly description: string;
}

/** The run of a workflow that somebody started. */
export interface WorkflowRunOnGitHub {
  readonly id: number;
  /** What stands in GitHub's list of runs: the workflow's `run-name`. */
  readonly title: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly byBot: boolean;
}

/**
 * What effects ask of one repository on GitHub, and nothing else. Every method may throw `GitHubCallFailed`; `pull` is the number of a
 * pull request, and for the conversation of an issue too. Lists are complete, and may lag behind writes by seconds.
 */
export interface GitHubReads {
  getCheckRun(id: number): Promise<CheckRun>;
  /** The newest check-run of this name on the head that carries the external id. */
  findCheckRun(by: { headSha: string; name: CheckName; externalId: string }): Promise<CheckRun | undefined>;
  listAnnotations(checkRunId: number): Promise<Pick<Annotation, "path" | "startLine" | "message">[]>;
  listReviews(pull: number): Promise<Review[]>;
  listCommentsOfReview(pull: number, reviewId: number): Promise<ReviewComment[]>;
  /** All comments on lines and files of the pull request. */
  listReviewComments(pull: number): Promise<ReviewComment[]>;
  listComments(pull: number): Promise<ReviewComment[]>;
  /** A comment of the conversation; undefined when it is gone. */
  findComment(commentId: number): Promise<ReviewComment | undefined>;
  /** The thread that the comment began; undefined when it is gone. */
  findThread(pull: number, commentId: number): Promise<ReviewThread | undefined>;
  /** Pull requests from this branch of the repository, open or not. */
  listPullsFrom(branch: string): Promise<PullOnGitHub[]>;
  getPull(pull: number): Promise<PullOnGitHub>;
  /** Undefined when it is gone. */
  findIssue(issue: number): Promise<IssueOnGitHub | undefined>;
  /** What GitHub says of merging it; undefined where it is gone. */
  readMergeState(pull: number): Promise<MergeState | undefined>;
  listDeployments(by: { sha: string; environment: string; task: string }): Promise<DeploymentOnGitHub[]>;
  /** What was said last of a deployment. */
  lastDeploymentStatus(
    deploymentId: number,
  ): Promise<{ readonly state: string; readonly description: string; readonly byBot: boolean } | undefined>;
  /** Runs of a workflow (the name of its file) that were started by hand or by a program since (ISO 8601). */
  listDispatchedRuns(file: string, since: string): Promise<WorkflowRunOnGitHub[]>;
  /** The SHA that a branch points to. */
  readBranch(branch: string): Promise<string | undefined>;
  /** The files that differ from where the histories of two commits part to the second one, 300 at most; none where one of them is not there. */
  changedFiles(from: string, to: string): Promise<string[]>;
  /** Issues that bots opened, changed since (ISO 8601). */
  listOwnIssues(since: string): Promise<{ readonly number: number; readonly body: string }[]>;
  /** Whether a job of this run of a workflow waits for the rules of the environment. */
  waitsFor(run: number, environment: string): Promise<boolean>;
}

/** What the rule of an environment answers. */
export interface RuleWrites {
  /** Without a state it is a report. `comment`: at most 1,024 characters. Needs `deployments: write`. */
  answerRule(
    run: number,
    answer: { readonly environment: string; readonly state?: "approved" | "rejected"; readonly comment: string },
  ): Promise<void>;
}

/** What effects change there. */
export interface GitHubWrites extends RuleWrites {
  createCheckRun(checkRun: NewCheckRun): Promise<CheckRun>;
  updateCheckRun(
    id: number,
    change: CheckProgress & { readonly output: CheckOutput; readonly buttons?: readonly CheckButton[] },
  ): Promise<CheckRun>;
  createReview(pull: number, review: NewReview): Promise<{ readonly id: number }>;
  /** Takes a verdict back; the message is shown with it. */
  dismissReview(pull: number, reviewId: number, message: string): Promise<void>;
  /** Not an error when it is gone already. */
  deletePendingReview(pull: number, reviewId: number): Promise<void>;
  /** A comment on a file of the pull request as a whole. */
  createFileComment(
    pull: number,
    comment: { readonly commitId: string; readonly path: string; readonly body: string },
  ): Promise<{ readonly id: number }>;
  /** A reply in the thread that begins with the comment `thread`. */
  replyInThread(pull: number, thread: number, body: string): Promise<{ readonly id: number }>;
  /** A comment in the conversation of the pull request or issue. */
  createComment(pull: number, body: string): Promise<{ readonly id: number }>;
  /** Edits a comment of the conversation. */
  updateComment(commentId: number, body: string): Promise<void>;
  /** Not an error when it is there already. */
  react(on: "issue_comment" | "review_comment", commentId: number, reaction: Reaction): Promise<void>;
  /** Needs `contents: write` beside `pull_requests: write`: GitHub counts it as writing to the repository. */
  setThreadResolved(threadId: string, resolved: boolean): Promise<void>;
  updateIssue(issue: number, change: { readonly body: string; readonly state?: "open" | "closed" }): Promise<void>;
  createPull(pull: NewPull): Promise<PullOnGitHub>;
  updatePull(pull: number, change: { readonly title?: string; readonly body: string }): Promise<void>;
  /** `id` is the node id of a draft. Needs `contents: write` beside `pull_requests: write`. */
  markPullReady(id: string): Promise<void>;
  /** Refused where this is not its head any more, or the protection of the branch has something against it. Needs `contents: write`. */
  mergePull(pull: number, headSha: string, method: MergeState["method"]): Promise<void>;
  /** Puts it into the merge queue of its base branch, as long as this is its head. `id` is its node id. */
  enqueuePull(id: string, headSha: string): Promise<void>;
  /** Nothing is merged into the ref and no status is asked for, whatever GitHub's defaults are. */
  createDeployment(wanted: NewDeployment): Promise<{ readonly id: number } | { readonly merged: string }>;
  /** Deployments that were there before stay as they are. `description` has at most 140 characters. */
  createDeploymentStatus(
    deploymentId: number,
    status: { readonly state: string; readonly description: string; readonly logUrl?: string; readonly url?: string },
  ): Promise<void>;
  /** Starts a workflow by the name of its file; `runId` where GitHub says which run it became. */
  dispatchWorkflow(
    file: string,
    start: { readonly ref: string; readonly inputs: Readonly<Record<string, string>> },
  ): Promise<{ readonly runId?: number }>;
  /** Opens a pull request that takes back what a merged one brought. `id` is its node id. Needs `contents: write` too. */
  revertPull(id: string, text: { readonly title: string; readonly body: string }): Promise<{ readonly number: number }>;
  /**
   * Makes a branch of one commit that stands on `on` and has all files as `to` has them. The branch may be there already. Needs `contents:
   * write`, and GitHub refuses it where files of workflows differ.
   */
  createBackBranch(
    branch: string,
    commit: { readonly on: string; readonly to: string; readonly message: string },
  ): Promise<void>;
  createIssue(issue: { readonly title: string; readonly body: string }): Promise<{ readonly number: number }>;
}

export type GitHubRepository = GitHubReads & GitHubWrites;
