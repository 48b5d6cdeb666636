/** What the App must be allowed and told (GH-16); `app.yml` says what for, and a test holds the two together. */
export const NEEDED_PERMISSIONS = {
  metadata: "read",
  checks: "write",
  pull_requests: "write",
  issues: "write",
  contents: "write",
  merge_queues: "read",
  actions: "write",
  statuses: "read",
  deployments: "write",
} as const;

/** Presses on checks and installation events arrive without being asked for. */
export const NEEDED_EVENTS = [
  "issues",
  "pull_request",
  "issue_comment",
  "pull_request_review_comment",
  "pull_request_review",
  "check_run",
  "status",
  "merge_group",
  "deployment_status",
  "deployment_protection_rule",
  "workflow_run",
  "repository",
  "repository_dispatch",
] as const;

/** What one task asks of GitHub, by the name of the permission. */
export type TaskPermissions = Readonly<Record<string, "read" | "write">>;

/** The least a task needs (SEC-2); GitHub refuses a token that asks for more than the App was given. */
export const READ_PERMISSIONS = { contents: "read", pull_requests: "read", metadata: "read" } as const;
export const CONTENTS_PERMISSIONS = { contents: "read", metadata: "read" } as const;
export const ISSUE_READ_PERMISSIONS = { issues: "read", pull_requests: "read", metadata: "read" } as const;
export const CI_PERMISSIONS = { checks: "read", metadata: "read" } as const;
export const STATUS_PERMISSIONS = { statuses: "read", metadata: "read" } as const;
export const LOG_PERMISSIONS = { actions: "read", metadata: "read" } as const;
/** What is said of deployments. */
export const DEPLOY_READ_PERMISSIONS = { deployments: "read", metadata: "read" } as const;
export const LABEL_PERMISSIONS = { issues: "write", metadata: "read" } as const;
export const PUSH_PERMISSIONS = { contents: "write", metadata: "read" } as const;
/** Answering as the rule of an environment, and looking who waits for it. */
export const RULE_PERMISSIONS = { deployments: "write", actions: "read", metadata: "read" } as const;
/** GitHub refuses a push that changes a file in `.github/workflows` without this; most Apps are not given it. */
export const WORKFLOW_PERMISSIONS = { contents: "write", workflows: "write", metadata: "read" } as const;
export const CHECK_PERMISSIONS = { checks: "write", metadata: "read" } as const;
export const REVIEW_PERMISSIONS = { pull_requests: "write", metadata: "read" } as const;
/** Resolving a thread counts as writing to the repository; an App that was not given this still reviews. */
export const RESOLVE_PERMISSIONS = { contents: "write", pull_requests: "write", metadata: "read" } as const;

/** Comments on issues; on pull requests `REVIEW_PERMISSIONS` are enough. */
export const ISSUE_PERMISSIONS = { issues: "write", metadata: "read" } as const;
export const PULL_PERMISSIONS = { contents: "read", pull_requests: "write", metadata: "read" } as const;
/** Merging, and what GitHub says of it: whether the checks of the head pass stands there too. */
export const MERGE_PERMISSIONS = {
  contents: "write",
  pull_requests: "write",
  checks: "read",
  statuses: "read",
  metadata: "read",
} as const;
/** GitHub counts making a draft ready as writing to the repository too (https://github.com/cli/cli/issues/8910). */
export const READY_PERMISSIONS = { contents: "write", pull_requests: "write", metadata: "read" } as const;
/** Deployments and what is said of them; the branch is read to name it where it still has the commit. */
export const DEPLOYMENT_PERMISSIONS = { deployments: "write", contents: "read", metadata: "read" } as const;
/** To start a workflow that deploys, and to find the run that it became. */
export const DISPATCH_PERMISSIONS = { actions: "write", contents: "read", metadata: "read" } as const;
