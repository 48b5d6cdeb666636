/** What the App must be allowed and told (GH-16); `app.yml` says what for, and a test holds the two together. */
export const NEEDED_PERMISSIONS = {
  metadata: "read",
  checks: "write",
  pull_requests: "write",
  issues: "read",
  contents: "read",
  merge_queues: "read",
} as const;

/** Check and installation events arrive without being asked for. */
export const NEEDED_EVENTS = [
  "pull_request",
  "issue_comment",
  "pull_request_review_comment",
  "pull_request_review",
  "merge_group",
  "repository",
] as const;
