import { defined } from "../../domain/defined.ts";
import type { PullDescription } from "../../domain/implementation-status.ts";
import type { Working } from "./implementation.ts";

/** What the pull request says, as facts, as far as they are known. */
export function describePull(run: Working): PullDescription {
  const { plan, work, tests, reviewed, costUsd, subject, requestedBy, took } = run;
  return {
    issue: subject.number,
    requestedBy: requestedBy.login,
    plan: plan.plan,
    estimate: plan.estimate,
    commits: [...work.commits],
    notDone: [...work.notDone],
    costUsd,
    ...defined({
      tests,
      review: reviewed && {
        decision: reviewed.decision,
        blocking: reviewed.blocking,
        advisory: reviewed.advisory,
        rounds: took.review?.times ?? 1,
      },
    }),
  };
}
