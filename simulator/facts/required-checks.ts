import type { CheckRun, PullRequest, Repository } from "../records.ts";
import { latestRuns, runsOn } from "./latest-runs.ts";

/** "skipped" and "neutral" satisfy a required check; "action_required" and "cancelled" do not.
 * https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks */
const SATISFYING = new Set(["success", "skipped", "neutral"]);

/** Names of the required checks of the base branch that the head does not satisfy. */
export function missingChecks({ repository, pull }: PullRequest): string[] {
  return missingChecksOn(repository, pull.baseRef, pull.headSha);
}

/** Whether approving reviews that the base branch asks for are missing: the last verdict of each, but for the author's.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/about-protected-branches#require-pull-request-reviews-before-merging */
export function lacksApprovals({ repository, pull, user }: PullRequest): boolean {
  const wanted = repository.protections.get(pull.baseRef)?.approvals ?? 0;
  const verdicts = new Map(
    pull.reviews
      .filter((review) => review.user !== user && (review.state === "APPROVED" || review.state === "CHANGES_REQUESTED"))
      .map((review) => [review.user, review.state]),
  );
  const approved = [...verdicts.values()].filter((state) => state === "APPROVED").length;
  return wanted > 0 && (approved < wanted || [...verdicts.values()].includes("CHANGES_REQUESTED"));
}

function satisfies({ status, conclusion }: CheckRun): boolean {
  return status === "completed" && SATISFYING.has(conclusion ?? "");
}

/** Of all that is there, required or not. */
export function allChecksPass(repository: Repository, sha: string): boolean {
  const statuses = new Map(repository.statuses.filter((each) => each.sha === sha).map((each) => [each.context, each]));
  return (
    latestRuns(runsOn(repository, sha)).every(satisfies) &&
    [...statuses.values()].every(({ state }) => state === "success")
  );
}

/** Names of the required checks of a branch that a commit does not satisfy. */
export function missingChecksOn(repository: Repository, branch: string, sha: string): string[] {
  const required = repository.protections.get(branch)?.requiredChecks ?? [];
  const runs = latestRuns(runsOn(repository, sha));
  return required.filter((name) => {
    const run = runs.find((each) => each.name === name);
    if (run) return !satisfies(run);
    const status = repository.statuses.findLast((each) => each.sha === sha && each.context === name);
    return status?.state !== "success";
  });
}

/** Every context that was submitted for a commit, of checks and statuses, with the state of the newest. Other than for a branch, one
 * that was skipped is no success to a deployment: https://github.com/sbb-design-systems/sbb-angular/pull/2447 */
export function contextsOn(repository: Repository, sha: string): Map<string, string> {
  const statuses = repository.statuses
    .filter((each) => each.sha === sha)
    .map((each) => [each.context, each.state] as const);
  const runs = latestRuns(runsOn(repository, sha)).map((run) => [run.name, run.conclusion ?? "pending"] as const);
  return new Map([...statuses, ...runs]);
}
