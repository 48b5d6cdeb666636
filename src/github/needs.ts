/** What the App must be allowed and told (GH-16); `app.yml` says what for, and a test holds the two together. */
export const NEEDED_PERMISSIONS = {
  metadata: "read",
  checks: "write",
  pull_requests: "write",
  issues: "write",
  contents: "write",
  merge_queues: "read",
  actions: "read",
  statuses: "read",
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
  "repository",
] as const;
