import { reassessRisk } from "../../analysis/risk/reassess-risk.ts";
import { defined } from "../../domain/defined.ts";
import type { CheckReport } from "../../domain/effects.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import type { Conclusion } from "../../domain/phases.ts";
import type { RecentRun } from "../runs/decision.ts";
import { isOpen, reviewedReport } from "./reviewed-report.ts";
import type { CompletedRun, FailedRun, WaitingRun } from "./run-state.ts";
import { reachVerdict } from "./verdict.ts";

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
