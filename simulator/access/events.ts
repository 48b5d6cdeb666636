// Who may hear of what.

/** An event can only be subscribed to with one of these permissions:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads (availability of each event) */
const PERMISSIONS_FOR: Record<string, readonly string[]> = {
  check_run: ["checks"],
  check_suite: ["checks"],
  deployment: ["deployments"],
  deployment_protection_rule: ["deployments"],
  deployment_review: ["deployments"],
  deployment_status: ["deployments"],
  issue_comment: ["issues", "pull_requests"],
  issues: ["issues"],
  merge_group: ["merge_queues"],
  pull_request: ["pull_requests"],
  pull_request_review: ["pull_requests"],
  pull_request_review_comment: ["pull_requests"],
  pull_request_review_thread: ["pull_requests"],
  push: ["contents"],
  repository_dispatch: ["contents"],
  status: ["statuses"],
  workflow_job: ["actions"],
  workflow_run: ["actions"],
};

/** Permissions of which one would be needed to hear of it; null where nothing is missing. */
export function missingFor(event: string, permissions: Readonly<Record<string, string>>): readonly string[] | null {
  const needed = PERMISSIONS_FOR[event];
  return !needed || needed.some((permission) => permissions[permission]) ? null : needed;
}
