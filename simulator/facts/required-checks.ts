import type { PullRequest } from "../records.ts";
import { latestRuns, runsOn } from "./latest-runs.ts";

/** "skipped" and "neutral" satisfy a required check; "action_required" and "cancelled" do not.
 * https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks */
const SATISFYING = new Set(["success", "skipped", "neutral"]);

/** Names of the required checks of the base branch that the head does not satisfy. */
export function missingChecks({ repository, pull }: PullRequest): string[] {
  const required = repository.protections.get(pull.baseRef) ?? [];
  const runs = latestRuns(runsOn(repository, pull.headSha));
  return required.filter((name) => {
    const run = runs.find((each) => each.name === name);
    if (run) return run.status !== "completed" || !SATISFYING.has(run.conclusion ?? "");
    const status = repository.statuses.findLast((each) => each.sha === pull.headSha && each.context === name);
    return status?.state !== "success";
  });
}
