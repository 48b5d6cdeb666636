import { defined } from "../../domain/defined.ts";
import type { FindingCounts } from "../../domain/event-catalogue.ts";
import { isBlocking, isCriticalSecurity, needsLook, type Observation } from "../../domain/findings.ts";
import type { Conclusion } from "../../domain/phases.ts";
import type { Approval, Judgement, QueuedPull, ReviewCoverage } from "../../domain/review-report.ts";
import { asksForPerson, ownLevel, type RiskReport } from "../../domain/risk.ts";

export interface Verdict {
  readonly decision: "approve" | "request_changes" | "require_human";
  readonly conclusion: Conclusion;
  readonly outcome: "approved" | "advisory" | "changes_requested" | "human_required" | "needs_look" | "incomplete";
  readonly open: FindingCounts;
  readonly blocking: number;
}

/**
 * The verdict on a head by its open findings and coverage (REV-3a, GH-11a). Never green without a review: a required layer that did
 * not run, or a file that should have been looked at and was not, makes the check `action_required` where nothing blocks. A high risk
 * asks for a person and says so; where the repository wants it, it waits for their approving review. A critical finding without proof
 * does not block, and a person looks at it before it counts as approved.
 */
export function reachVerdict(
  open: readonly Observation[],
  coverage: ReviewCoverage,
  risk?: RiskReport,
  approval?: Approval,
): Verdict {
  const counts = countBySeverity(open);
  const blocking = open.filter(isBlocking).length;
  const doubtful = open.filter(needsLook);
  const isSecurity = ({ category }: Observation) => category === "security";
  const forPerson =
    open.some(isCriticalSecurity) || doubtful.some(isSecurity) || (risk !== undefined && asksForPerson(risk));
  const decision = forPerson || doubtful.length > 0 ? "require_human" : blocking > 0 ? "request_changes" : "approve";
  const common = { decision, open: counts, blocking } as const;
  if (blocking > 0) {
    return { ...common, conclusion: "failure", outcome: forPerson ? "human_required" : "changes_requested" };
  }
  if (isIncomplete(coverage)) return { ...common, conclusion: "action_required", outcome: "incomplete" };
  if (approval && approval.is !== "approved") {
    return { ...common, conclusion: "action_required", outcome: "human_required" };
  }
  if (counts.warning + counts.error + counts.critical > 0) {
    return {
      ...common,
      conclusion: "neutral",
      outcome: forPerson ? "human_required" : doubtful.length > 0 ? "needs_look" : "advisory",
    };
  }
  // Green says that somebody looked: of pictures or links alone, or of unreadable code, that cannot be said.
  const calm = isUnread(coverage) || (coverage.searchedOnly ?? []).length > 0 ? "advisory" : "approved";
  const conclusion = calm === "advisory" ? "neutral" : "success";
  return { ...common, conclusion, outcome: forPerson ? "human_required" : calm };
}

/** How it stands with the approving review of a high risk, where the repository waits for one; a critical one waits for an architect (REV-2). */
export function approvalOf(
  {
    asks = false,
    architects = [],
  }: { readonly asks?: boolean | undefined; readonly architects?: readonly string[] | undefined },
  risk: RiskReport | undefined,
  judged: (Judgement & { readonly headSha: string }) | undefined,
  headSha: string,
): Approval | undefined {
  if (!asks || !risk || !asksForPerson(risk)) return undefined;
  const { approvedBy, rejectedBy, architect, unreadTeams } = judged?.headSha === headSha ? judged : {};
  if (rejectedBy !== undefined) return { is: "rejected", by: rejectedBy };
  const isCritical = ownLevel(risk) === "critical";
  const by = isCritical ? architect : approvedBy;
  if (by !== undefined) return { is: "approved", by };
  return {
    is: "wanted",
    ...(isCritical ? { architects: [...architects], ...defined({ by: approvedBy, unreadTeams }) } : {}),
  };
}

export function countBySeverity(findings: readonly Pick<Observation, "severity">[]): FindingCounts {
  const counts = { critical: 0, error: 0, warning: 0, info: 0 };
  for (const finding of findings) counts[finding.severity] += 1;
  return counts;
}

/** Whether all that was changed was left out as intended. What is only deleted leaves nothing to look at. */
function isUnread({ filesCovered, uncovered }: ReviewCoverage): boolean {
  return filesCovered === 0 && uncovered.some(({ reason }) => reason !== "deleted");
}

/** A layer that waits for somebody's word was asked for and has not run. */
const INCOMPLETE: ReadonlySet<string> = new Set(["failed", "partly", "waiting"]);

/** The AI layer is not required where no provider is configured or the risk does not ask for it; everything else has to have run on everything it should. */
function isIncomplete(coverage: ReviewCoverage): boolean {
  const layerMissing = coverage.layers.some((layer) => INCOMPLETE.has(layer.state));
  return layerMissing || coverage.uncovered.some((file) => file.gap);
}

/** Mildest first: what says nothing of the code, what was found, and what is not known. */
const BY_WEIGHT: readonly Conclusion[] = ["cancelled", "skipped", "success", "neutral", "action_required", "failure"];

/** The heavier of two conclusions on the same head: what blocks wins over what is not known, and that over what is good. */
export function isWorse(one: Conclusion, other: Conclusion): boolean {
  return BY_WEIGHT.indexOf(one) > BY_WEIGHT.indexOf(other);
}

const OUTCOMES = {
  failure: "changes_requested",
  action_required: "incomplete",
  neutral: "advisory",
  success: "approved",
} as const;

/** The verdict on a merge group: its own, or that of the worst pull request in it (GH-8d). */
export function withQueued(verdict: Verdict, queued: readonly QueuedPull[]): Verdict {
  const worst = queued.reduce<Conclusion>(
    (so, { conclusion }) => (isWorse(conclusion, so) ? conclusion : so),
    verdict.conclusion,
  );
  if (worst === verdict.conclusion || worst === "skipped" || worst === "cancelled") return verdict;
  const decision = worst === "failure" ? "request_changes" : verdict.decision;
  return { ...verdict, decision, conclusion: worst, outcome: OUTCOMES[worst] };
}
