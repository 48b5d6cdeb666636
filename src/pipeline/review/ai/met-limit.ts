import type { RunReport } from "../../../agents/loop/run-report.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { MetLimit } from "../../../domain/review-report.ts";

/** The limit of this review at which an agent ended. One of the pull request, the repository or the day is not the review's to raise. */
export function metLimit(
  reports: readonly Pick<RunReport, "limit">[],
  { safety }: Pick<RepoConfig, "safety">,
): MetLimit | undefined {
  const limits = {
    cost: { name: "usd", amount: safety.cost.review },
    iterations: { name: "iterations", amount: safety.iterations.review },
    time: { name: "minutes", amount: safety.time.review },
  } as const;
  const own = reports.findLast(({ limit }) => limit?.scope === "phase" && Object.hasOwn(limits, limit.name))?.limit;
  const met = own && limits[own.name as keyof typeof limits];
  return met && met.amount > 0 ? met : undefined;
}
