// What the simulator remembers: one record per thing that GitHub knows. Times are ISO 8601 without milliseconds, as GitHub's.
import type { KeyObject } from "node:crypto";

export type AccountType = "User" | "Organization" | "Bot";
export const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof ROLES)[number];
export type Side = "LEFT" | "RIGHT";
export type ReviewState = "PENDING" | "COMMENTED" | "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED";
export type ReviewEvent = "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
export type CheckStatus = "queued" | "in_progress" | "completed";

export interface Account {
  readonly id: number;
  login: string;
  readonly type: AccountType;
  readonly email: string;
  readonly name: string | null;
  /** Members of an organization by login. */
  readonly members: Map<string, "member" | "admin">;
}

export interface App {
  readonly appId: number;
  readonly clientId: string;
  readonly slug: string;
  readonly name: string;
  readonly owner: Account;
  readonly bot: Account;
  /** Null for one that never signs in: the CI of others. */
  readonly publicKey: KeyObject | null;
  webhookUrl: string;
  webhookSecret: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly createdAt: string;
  /** For signing people in; not there of an App of a world that was kept. */
  readonly clientSecret?: string;
  readonly callbackUrls?: readonly string[];
  /** Where who has installed it is sent. */
  readonly setupUrl?: string;
}

export interface Installation {
  readonly id: number;
  readonly app: App;
  readonly account: Account;
  /** Ids of the repositories; null means all of the account. */
  repositoryIds: Set<number> | null;
  suspendedAt: string | null;
  /** What the account has agreed to, where that is less than what the App asks for now. */
  accepted?: Readonly<Record<string, string>> | undefined;
  readonly createdAt: string;
}

export type Token =
  | {
      readonly kind: "user";
      readonly user: Account;
      /** Whom the user lets act so; absent of a token of their own. */
      readonly app?: App;
      readonly expiresAt?: number;
    }
  | {
      readonly kind: "installation";
      readonly installation: Installation;
      readonly permissions: Readonly<Record<string, string>>;
      /** Repositories that the token was narrowed to; null means all of the installation. */
      readonly repositoryIds: Set<number> | null;
      readonly expiresAt: number;
    };

/** What a person agreed to in the browser. https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app */
export interface SignInCode {
  readonly app: App;
  readonly user: Account;
  readonly redirectUri: string;
  /** PKCE with S256; null where the App sent none. */
  readonly challenge: string | null;
  readonly until: number;
}

/** An App that was just registered by its manifest, with what is told once. */
export interface ManifestCode {
  readonly app: App;
  readonly pem: string;
  readonly until: number;
}

export interface Repository {
  readonly id: number;
  owner: Account;
  name: string;
  readonly private: boolean;
  readonly defaultBranch: string;
  /** Bare repository on disk; its name does not change on a transfer. */
  readonly directory: string;
  readonly source: Repository | null;
  readonly createdAt: string;
  pushedAt: string;
  lastNumber: number;
  readonly issues: Map<number, Issue>;
  readonly labels: Map<string, Label>;
  readonly collaborators: Map<string, Role>;
  readonly checkSuites: CheckSuite[];
  readonly statuses: Status[];
  /** By branch. */
  readonly protections: Map<string, Protection>;
}

/** What is asked of everybody, administrators included, before a branch moves. */
export interface Protection {
  /** Names. */
  readonly requiredChecks: readonly string[];
  /** Nobody pushes: changes come through a pull request. */
  readonly requiresPull: boolean;
  /** Approving reviews of people and Apps that may write. */
  readonly approvals?: number;
  /** Nothing is merged but through a queue. */
  readonly queue?: boolean;
  /** Apps that may go around it, by slug: GitHub merges for them whatever is missing. */
  readonly bypass?: readonly string[];
}

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

export interface Reaction {
  readonly id: number;
  readonly user: Account;
  readonly content: string;
  readonly createdAt: string;
}

export interface Issue {
  readonly id: number;
  readonly repository: Repository;
  readonly number: number;
  title: string;
  body: string | null;
  readonly user: Account;
  readonly viaApp: App | null;
  state: "open" | "closed";
  stateReason: string | null;
  readonly labels: Label[];
  readonly comments: IssueComment[];
  readonly reactions: Reaction[];
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  readonly pull: Pull | null;
}

export type PullRequest = Issue & { readonly pull: Pull };

export interface Pull {
  readonly id: number;
  /** Null when the fork was deleted. */
  headRepository: Repository | null;
  readonly headRef: string;
  headSha: string;
  /** Every head that this pull request had, oldest first. */
  readonly heads: string[];
  baseRef: string;
  baseSha: string;
  draft: boolean;
  mergedAt: string | null;
  mergedBy: Account | null;
  mergeCommitSha: string | null;
  /** Commits that a rebase made of its own on the base, the newest aside. */
  rebased?: readonly string[];
  /** In the merge queue of its base branch. */
  queued?: boolean;
  readonly reviews: Review[];
  readonly comments: ReviewComment[];
  readonly threads: ReviewThread[];
}

export interface IssueComment {
  readonly id: number;
  readonly issue: Issue;
  readonly user: Account;
  readonly viaApp: App | null;
  body: string;
  minimized: string | null;
  readonly reactions: Reaction[];
  readonly createdAt: string;
  updatedAt: string;
}

export interface Review {
  readonly id: number;
  readonly pullRequest: PullRequest;
  readonly user: Account;
  body: string;
  state: ReviewState;
  readonly commitId: string;
  submittedAt: string | null;
}

/** Where a review comment was made; lines are numbers in the file of that side, starting at 1. */
export interface Anchor {
  readonly subjectType: "line" | "file";
  readonly side: Side;
  readonly line: number | null;
  readonly startLine: number | null;
  readonly startSide: Side | null;
  readonly position: number | null;
  readonly diffHunk: string;
}

export interface ReviewComment {
  readonly id: number;
  readonly pullRequest: PullRequest;
  readonly user: Account;
  readonly review: Review;
  readonly inReplyTo: ReviewComment | null;
  readonly path: string;
  readonly originalCommitId: string;
  commitId: string;
  readonly anchor: Anchor;
  /** Where it stands on the newest head; null when it is outdated. */
  current: { readonly line: number | null; readonly startLine: number | null } | null;
  body: string;
  minimized: string | null;
  readonly reactions: Reaction[];
  readonly createdAt: string;
  updatedAt: string;
}

export interface ReviewThread {
  readonly id: number;
  readonly pullRequest: PullRequest;
  readonly comments: ReviewComment[];
  resolvedBy: Account | null;
}

export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: "notice" | "warning" | "failure";
  readonly message: string;
  readonly title?: string;
  readonly raw_details?: string;
}

export interface CheckAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

export interface CheckRun {
  readonly id: number;
  readonly suite: CheckSuite;
  name: string;
  externalId: string;
  detailsUrl: string | null;
  status: CheckStatus;
  conclusion: string | null;
  startedAt: string;
  completedAt: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  readonly annotations: Annotation[];
  actions: readonly CheckAction[];
}

export interface CommitSummary {
  readonly id: string;
  readonly tree_id: string;
  readonly message: string;
  readonly timestamp: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly committer: { readonly name: string; readonly email: string };
}

export interface CheckSuite {
  readonly id: number;
  readonly repository: Repository;
  readonly app: App;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly before: string | null;
  readonly headCommit: CommitSummary;
  readonly runs: CheckRun[];
  readonly createdAt: string;
}

/** One run of a workflow of GitHub Actions; its state is that of its suite, which is its own, once its jobs have begun. */
export interface WorkflowRun {
  readonly id: number;
  readonly workflowId: number;
  readonly name: string;
  /** ".github/workflows/ci.yml" */
  readonly path: string;
  /** Counts the runs of this workflow from 1. */
  readonly runNumber: number;
  /** What set it off: "push", "pull_request". */
  readonly event: string;
  readonly title: string;
  /** Who started it the first time. A run again does not change it. */
  readonly actor: Account;
  /** From 2 on, with who ran it again. */
  again?: { readonly attempt: number; readonly by: Account };
  readonly suite: CheckSuite;
  readonly jobs: Job[];
  /** What required reviewers answered, oldest first. */
  answers?: readonly GateAnswer[];
  /** "refs/heads/main"; empty where a commit was deployed that nobody named otherwise. */
  readonly ref?: string;
  /** Waits for another run of its concurrency group. */
  pending?: boolean;
  /** Set when it ended before it had jobs. */
  conclusion?: string;
  readonly createdAt: string;
  updatedAt: string;
}

/** A job is a check-run, under the same id. */
export interface Job {
  readonly check: CheckRun;
  readonly workflowRun: WorkflowRun;
  steps: readonly JobStep[];
  /** Null until the job has ended. */
  log: string | null;
  /** Held back by the rules of its environment. */
  waiting?: boolean;
  /** What it made by naming its environment. */
  deployment?: Deployment;
}

/** What a required reviewer said of the jobs that wait for some environments. */
export interface GateAnswer {
  readonly environments: readonly DeployEnvironment[];
  readonly state: "approved" | "rejected";
  readonly comment: string;
  readonly by: Account;
}

/** People of an organization who review together. */
export interface Team {
  readonly id: number;
  readonly slug: string;
  readonly members: readonly Account[];
}

/** A place to deploy to, with what is asked of the jobs that name it. */
export interface DeployEnvironment {
  readonly id: number;
  readonly repository: Repository;
  readonly name: string;
  /** One of them, or of the people of a team, is enough. */
  readonly reviewers: readonly (Account | Team)[];
  /** Jobs wait for so many minutes. */
  readonly waitMinutes?: number;
  readonly preventSelfReview: boolean;
  /** Null lets every ref deploy; "protected" those branches that are protected; else patterns of names. */
  readonly branches: "protected" | readonly string[] | null;
  /** Whether administrators may start what waits. */
  readonly mayBypass: boolean;
  /** Apps that are asked for each job, by their slugs. */
  readonly rules: { readonly id: number; readonly app: App }[];
  readonly createdAt: string;
}

export interface JobStep {
  readonly name: string;
  readonly conclusion: "success" | "failure" | "skipped" | "cancelled";
}

export interface Status {
  readonly id: number;
  readonly sha: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: Account;
  readonly createdAt: string;
}

export type DeploymentState =
  | "error"
  | "failure"
  | "inactive"
  | "in_progress"
  | "queued"
  | "pending"
  | "success"
  /** Of a job that waits for the rules of its environment; nobody can write it. */
  | "waiting";

/** Never changed but for its environment, which a status may change. */
export interface Deployment {
  readonly id: number;
  readonly repository: Repository;
  readonly sha: string;
  /** As it was asked for: a branch, a tag or a SHA. */
  readonly ref: string;
  readonly task: string;
  /** An object, or a text as it was given. */
  readonly payload: object | string;
  readonly originalEnvironment: string;
  environment: string;
  readonly description: string | null;
  readonly transient: boolean;
  readonly production: boolean;
  readonly creator: Account;
  readonly viaApp: App | null;
  /** The job that names the environment, where one made it. */
  readonly job: Job | null;
  /** Oldest first. */
  readonly statuses: DeploymentStatus[];
  readonly createdAt: string;
  updatedAt: string;
}

export interface DeploymentStatus {
  readonly id: number;
  readonly deployment: Deployment;
  readonly state: DeploymentState;
  readonly description: string;
  readonly environment: string;
  readonly environmentUrl: string;
  readonly logUrl: string;
  readonly creator: Account;
  readonly viaApp: App | null;
  readonly createdAt: string;
}
