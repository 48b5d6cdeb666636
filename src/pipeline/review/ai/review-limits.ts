import type { RunReport } from "../../../agents/library.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { MetLimit } from "../../../domain/review-report.ts";
import type { Extensions } from "../../runs/subject-facts.ts";

/**
 * The configuration with what people added to the limits of one run (`/forge extend`). Money raises the limit of the pull request along with
 * that of the review; the limits of the repository and the day stay. Calls are counted by agent: see `PresentLimits`.
 */
export function extendConfiguration(
  configuration: RepoConfig,
  { usd, minutes }: Omit<Extensions, "iterations">,
): RepoConfig {
  const { safety } = configuration;
  const cost = { ...safety.cost, review: safety.cost.review + usd, subject: safety.cost.subject + usd };
  const time = { ...safety.time, review: safety.time.review + minutes };
  return { ...configuration, safety: { ...safety, cost, time } };
}

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
