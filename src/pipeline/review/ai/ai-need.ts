import type { RunReport } from "../../../agents/library.ts";
import type { Demands } from "../../../agents/reviewer/brief.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { MetLimit } from "../../../domain/review-report.ts";
import type { RiskReport } from "../../../domain/risk.ts";
import { atLeast, type Role } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import type { Store } from "../../../store/store.ts";
import type { Extensions } from "../../runs/subject-facts.ts";
import type { RunState } from "../run-state.ts";

export interface AiQuestion {
  readonly ai: RepoConfig["review"]["ai"];
  /** Unknown where the change could not be measured: then it is not assumed to be small. */
  readonly risk: RiskReport | undefined;
  /** Whether a model is set up. */
  readonly configured: boolean;
  /** Role of the pull request's author in the repository; a bot has none. */
  readonly authorRole: Role;
  /** Somebody with triage or more said `/forge trust` here, or asked for this very review. */
  readonly trusted: boolean;
  /** The ledger has open findings of this layer: whoever mends them wants to hear that they are mended. */
  readonly openFindings: boolean;
}

export type AiNeed =
  | { readonly run: true; readonly depth: "usual" | "deep" }
  | { readonly run: false; readonly state: "not_configured" | "not_needed" | "waiting"; readonly reason: string };

/** Whether the AI layer looks at a change (REV-2, GH-8c), and how deep: several passes that vote at high risk and above (REV-4). */
export function aiNeed({ ai, risk, configured, authorRole, trusted, openFindings }: AiQuestion): AiNeed {
  if (ai === "never") return { run: false, state: "not_configured", reason: "switched off by the configuration" };
  if (!configured) return { run: false, state: "not_configured", reason: "no model is configured" };
  const level = risk?.level ?? "medium";
  if (ai === "auto" && level === "low" && !openFindings)
    return { run: false, state: "not_needed", reason: "the risk is low" };
  if (!trusted && !atLeast(authorRole, "write")) {
    const reason = "the author cannot push here: `/forge trust` by somebody with triage or more lets it run";
    return { run: false, state: "waiting", reason };
  }
  return { run: true, depth: level === "high" || level === "critical" ? "deep" : "usual" };
}

/** What the plan demands of a change that Forge itself made, as people saw it last (PLAN-1); undefined for the changes of others. */
export async function readDemands(store: Store, run: RunState | undefined): Promise<Demands | undefined> {
  if (!run?.implements) return undefined;
  const events = await readEvents(store, run.implements.runId);
  const proposed = events.findLast((event) => event.type === "plan.proposed");
  if (proposed?.type !== "plan.proposed") return undefined;
  const { constraints, acceptance_criteria: criteria, not_included: notIncluded } = proposed.payload.plan;
  return { constraints, criteria, notIncluded };
}

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
