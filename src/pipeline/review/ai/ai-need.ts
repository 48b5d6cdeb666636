import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { RiskReport } from "../../../domain/risk.ts";
import { atLeast, type Role } from "../../../domain/subjects.ts";

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
  /** The ledger has open findings of this layer: their author wants to hear that they are fixed. */
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
