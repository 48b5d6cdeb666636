import { reassessRisk } from "../../analysis/risk/assess-risk.ts";
import { defined } from "../../domain/defined.ts";
import type { CheckReport, ReportedFinding } from "../../domain/effects.ts";
import { byImportance, type LedgerEntry } from "../../domain/findings.ts";
import type { Conclusion } from "../../domain/phases.ts";
import type { RecentRun } from "../runs/decision.ts";
import type { CompletedRun, FailedRun, ReviewFacts, WaitingRun } from "./run-state.ts";
import { reachVerdict, type Verdict } from "./verdict.ts";

export interface Reviewed {
  readonly verdict: Verdict;
  readonly review: ReviewFacts;
  /** All that are open. */
  readonly findings: readonly ReportedFinding[];
  /** As it is after the review or the command. */
  readonly ledger: readonly LedgerEntry[];
  readonly recent: readonly RecentRun[];
  readonly runId: string;
}

/** What the check of a reviewed head says, as facts: made when a review ends, and anew when a command changes what is open. */
export function reviewedReport(reviewed: Reviewed): Extract<CheckReport, { kind: "reviewed" }> {
  const { verdict, review, findings, ledger, recent, runId } = reviewed;
  const { coverage, durationMs, fresh, fixed, back, beyondLimit, lastRound, changes, risk, carried, queued, cost } =
    review;
  const { decision, open, blocking } = verdict;
  return {
    kind: "reviewed",
    decision,
    open,
    blocking,
    findings: findings.toSorted((a, b) => byImportance(a.finding, b.finding)),
    ...{ fresh, fixed, back, beyondLimit },
    ...defined({ lastRound: lastRound || undefined, changes }),
    again: recent.some((earlier) => earlier.runId !== runId && wasReviewed(earlier.conclusion)),
    dismissed: ledger.flatMap(({ finding, state, dismissal }) => {
      if (state !== "dismissed" || !dismissal) return [];
      return [{ findingId: finding.id, by: dismissal.by.login, reason: dismissal.reason }];
    }),
    ...defined({ risk, carried, queued }),
    coverage,
    durationMs,
    costUsd: cost?.usd ?? 0,
    ...defined({ cost }),
  };
}

export function isOpen({ state }: Pick<LedgerEntry, "state">): boolean {
  return state === "open" || state === "regressed";
}

function wasReviewed(conclusion: string | undefined): boolean {
  return conclusion !== undefined && conclusion !== "skipped" && conclusion !== "cancelled";
}

/** What an ended or stopped run comes to with the ledger as it is now; undefined for one that left its head out. */
export function reportAnew(
  run: CompletedRun | FailedRun | WaitingRun,
  { ledger, recent }: { readonly ledger: readonly LedgerEntry[]; readonly recent: readonly RecentRun[] },
): { conclusion: Conclusion; report: CheckReport } | undefined {
  if (run.status === "failed") {
    const { error, attempts } = run;
    return { conclusion: "action_required", report: { kind: "failed", ...error, attempts } };
  }
  if (run.status === "waiting") {
    return { conclusion: "action_required", report: { kind: "stopped", by: run.stoppedBy } };
  }
  if (!run.review) return undefined;
  const open = ledger.filter(isOpen);
  const findings = open.map(({ finding }) => finding);
  const risk = run.review.risk && reassessRisk(run.review.risk, findings);
  const verdict = reachVerdict(findings, run.review.coverage, risk);
  const report = reviewedReport({
    verdict,
    review: { ...run.review, ...defined({ risk }) },
    findings: open.map(({ finding, state, placement }) => ({ finding, state, placement })),
    ledger,
    recent,
    runId: run.runId,
  });
  return { conclusion: verdict.conclusion, report };
}
