import { reassessRisk, withCoverage } from "../../analysis/risk/assess-risk.ts";
import { defined } from "../../domain/defined.ts";
import { type CheckReport, type Effect, effectKey, type ReportedFinding } from "../../domain/effects.ts";
import { byImportance, type Finding, isOpen, type LedgerEntry } from "../../domain/findings.ts";
import type { CommandGiven, Input } from "../../domain/inputs.ts";
import type { Conclusion } from "../../domain/phases.ts";
import type { Approval } from "../../domain/review-report.ts";
import type { RiskReport } from "../../domain/risk.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { requestOf } from "../commands/command-result.ts";
import { applyEffects, type Decision, NOTHING, type RecentRun } from "../runs/decision.ts";
import { coverageOn, overrideOn, type SubjectFacts } from "../runs/subject-facts.ts";
import type { Comparison } from "./compare-with-ledger.ts";
import type { CompletedRun, FailedRun, ReviewFacts, RunningRun, WaitingRun } from "./run-state.ts";
import { approvalOf, reachVerdict, type Verdict } from "./verdict.ts";
import type { SubjectView } from "./view.ts";

export interface Reviewed {
  readonly verdict: Verdict;
  readonly review: ReviewFacts;
  /** All that are open. */
  readonly findings: readonly ReportedFinding[];
  /** As it is after the review or the command. */
  readonly ledger: readonly LedgerEntry[];
  readonly recent: readonly RecentRun[];
  readonly runId: string;
  readonly approval?: Approval | undefined;
}

/** What the check of a reviewed head says, as facts: made when a review ends, and anew when a command changes what is open. */
export function reviewedReport(reviewed: Reviewed): Extract<CheckReport, { kind: "reviewed" }> {
  const { verdict, review, findings, ledger, recent, runId, approval } = reviewed;
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
    ...defined({ lastRound: lastRound || undefined, changes, hidden: review.hidden }),
    again: recent.some((earlier) => earlier.runId !== runId && wasReviewed(earlier.conclusion)),
    dismissed: ledger.flatMap(({ finding, state, dismissal }) => {
      if (state !== "dismissed" || !dismissal) return [];
      return [{ findingId: finding.id, by: dismissal.by.login, reason: dismissal.reason }];
    }),
    ...defined({ risk, carried, queued, approval }),
    coverage,
    durationMs,
    costUsd: cost?.usd ?? 0,
    ...defined({ cost }),
  };
}

function wasReviewed(conclusion: string | undefined): boolean {
  return conclusion !== undefined && conclusion !== "skipped" && conclusion !== "cancelled";
}

/** What a command changed: the ledger or the facts as they are after it. */
export interface Changed {
  readonly ledger: readonly LedgerEntry[];
  readonly facts: SubjectFacts;
}

/** What an ended or stopped run comes to with the ledger as it is now; undefined for one that left its head out. */
export function reportAnew(
  run: CompletedRun | FailedRun | WaitingRun,
  { ledger, recent, facts }: Changed & { readonly recent: readonly RecentRun[] },
): { conclusion: Conclusion; report: CheckReport; outcome?: Verdict["outcome"] } | undefined {
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
  const risk = run.review.risk && riskOn(run.review.risk, run.ends.headSha, { facts, findings });
  const approval = approvalOf(run.review, risk, facts.judged, run.ends.headSha);
  const verdict = reachVerdict(findings, run.review.coverage, risk, approval);
  const report = reviewedReport({
    verdict,
    review: { ...run.review, ...defined({ risk }) },
    findings: open.map(({ finding, state, placement }) => ({ finding, state, placement })),
    ledger,
    recent,
    runId: run.runId,
    approval,
  });
  return { conclusion: verdict.conclusion, report, outcome: verdict.outcome };
}

/** The risk of a change by itself, with what tests reach of it and with what is open. */
export function riskOn(
  risk: RiskReport,
  headSha: string,
  { facts, findings }: { readonly facts: SubjectFacts; readonly findings: readonly Finding[] },
): RiskReport {
  return reassessRisk(withCoverage(risk, coverageOn(facts, headSha)), findings);
}

/** Says on the check of the head what it comes to after a command, at once and from what the last review looked at. */
export function reviseCheck(view: SubjectView, input: CommandGiven, changed: Changed): Decision {
  const { subject, at, pull } = input;
  return reviseReview(view, { subject, at, headSha: pull.ends.headSha, cause: requestOf(input) }, changed);
}

/**
 * Says anew what the review of a head comes to. Nothing where a run is at work, which will see the change itself, and where the newest head
 * has no finished check.
 * @param cause names what changed it
 */
export function reviseReview(
  { latest: run, recent }: SubjectView,
  { at, headSha, cause }: Pick<Input, "subject" | "at"> & { readonly headSha: string; readonly cause: string },
  { ledger, facts }: Changed,
): Decision {
  if (!run || (run.status !== "completed" && run.status !== "failed" && run.status !== "waiting")) return NOTHING;
  const settled = reportAnew(run, { ledger, recent, facts });
  if (!settled || headSha !== run.ends.headSha) return NOTHING;
  const overridden = overrideOn(facts, "forge/review", headSha);
  const of = subjectKey(run.subject);
  return {
    ...NOTHING,
    effects: [
      {
        runId: run.runId,
        headSha,
        effects: [
          {
            kind: "check.revise",
            key: effectKey("check.revise", of, headSha, cause),
            payload: {
              check: "forge/review",
              headSha,
              openKey: effectKey("check.open", of, headSha, run.request.id),
              completeKey: effectKey("check.complete", of, headSha, run.request.id),
              conclusion: overridden ? "success" : settled.conclusion,
              report: settled.report,
              ...defined({ overridden }),
            },
          },
        ],
      },
    ],
    jobs: [applyEffects(run.subject, at)],
  };
}

/** What follows for the threads of findings that are fixed, outdated or back (GH-3a). One that never became a comment has no thread. */
export function threadEffects(run: RunningRun, comparison: Comparison): Effect[] {
  const { headSha } = run.ends;
  const key = (kind: Effect["kind"], findingId: string) =>
    effectKey(kind, subjectKey(run.subject), headSha, run.request.id, findingId);
  const fixed = comparison.fixed.filter(hasThread).map(({ finding, commentId }): Effect => {
    const because = { kind: "fixed", headSha, ...(finding.secret ? { secret: true } : {}) } as const;
    const payload = { findingId: finding.id, commentId, because };
    return { kind: "thread.resolve", key: key("thread.resolve", finding.id), payload };
  });
  const outdated = comparison.outdated.filter(hasThread).map(({ finding, commentId }): Effect => {
    const payload = { findingId: finding.id, commentId, because: { kind: "outdated", headSha } } as const;
    return { kind: "thread.resolve", key: key("thread.resolve", finding.id), payload };
  });
  const returned = new Set(comparison.back.map(({ fingerprint }) => fingerprint));
  const back = comparison.open
    .flatMap(({ finding, known }) => (known && returned.has(finding.fingerprint) ? [known] : []))
    .filter(hasThread)
    .map(({ finding, commentId }): Effect => {
      const payload = { findingId: finding.id, commentId, headSha };
      return { kind: "thread.reopen", key: key("thread.reopen", finding.id), payload };
    });
  const dismissed = comparison.dismissed.flatMap(({ known }) => (known ? [known] : []));
  return [
    ...fixed,
    ...outdated,
    ...back,
    ...closeDismissed(dismissed, key),
    ...reopenReleased(comparison.released, key),
  ];
}

/** The key of one effect on the thread of a finding. */
export type ThreadKey = (kind: Effect["kind"], findingId: string) => string;

/** Threads of what is dismissed are resolved without a word: who dismissed it knows, and the check says it. */
export function closeDismissed(entries: readonly LedgerEntry[], key: ThreadKey): Effect[] {
  return entries.filter(hasThread).map(({ finding, commentId }): Effect => {
    const payload = { findingId: finding.id, commentId, because: { kind: "dismissed" } } as const;
    return { kind: "thread.resolve", key: key("thread.resolve", finding.id), payload };
  });
}

/** And opened again without a word when the dismissal is taken back. */
export function reopenReleased(entries: readonly LedgerEntry[], key: ThreadKey): Effect[] {
  return entries.filter(hasThread).map(({ finding, commentId }): Effect => {
    const payload = { findingId: finding.id, commentId };
    return { kind: "thread.reopen", key: key("thread.reopen", finding.id), payload };
  });
}

function hasThread(entry: LedgerEntry): entry is LedgerEntry & { readonly commentId: number } {
  return entry.commentId !== undefined && (entry.placement === "comment" || entry.placement === "file_comment");
}
