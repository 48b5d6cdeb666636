import type { RepoConfig } from "../../../domain/repo-config.ts";
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
