import { type Effect, effectKey } from "../domain/effects.ts";
import type { NewEvent } from "../domain/events.ts";
import { byImportance, type Finding, isBlocking, type LedgerEntry } from "../domain/findings.ts";
import type { ReviewFinished } from "../domain/inputs.ts";
import type { RepoConfig } from "../domain/repo-config.ts";
import { subjectKey } from "../domain/subjects.ts";
import { type Comparison, compareWithLedger } from "./compare-with-ledger.ts";
import { applyEffects, type Decision, ignore, NOTHING, type SubjectView } from "./decision.ts";
import { elapsedMs } from "./elapsed.ts";
import { reviewedReport } from "./reviewed-report.ts";
import type { RunningRun } from "./run-state.ts";
import { overrideOn } from "./subject-facts.ts";
import { threadEffects } from "./thread-effects.ts";
import { reachVerdict, type Verdict } from "./verdict.ts";

/** A head was analysed: what it means for the ledger, the verdict, and what people are told (GH-3a, GH-10, GH-11). */
export function concludeReview(view: SubjectView, input: ReviewFinished): Decision {
  const run = view.addressed;
  if (run?.status !== "running") return ignore("the run has ended");
  const { coverage } = input;
  const comparison = compareWithLedger(input.findings, view.ledger, coverage, view.repository.dismissals);
  const verdict = reachVerdict(
    comparison.open.map(({ finding }) => finding),
    coverage,
  );
  return {
    ...NOTHING,
    appends: [
      { runId: run.runId, expectedVersion: run.version, events: reviewEvents(run, input, comparison, verdict) },
    ],
    effects: [
      {
        runId: run.runId,
        headSha: run.ends.headSha,
        effects: reviewEffects(run, view, input, comparison, verdict),
      },
    ],
    jobs: [applyEffects(run.subject, input.at)],
  };
}

function reviewEvents(run: RunningRun, input: ReviewFinished, comparison: Comparison, verdict: Verdict): NewEvent[] {
  const { headSha } = run.ends;
  const { decision, conclusion, open, blocking, outcome } = verdict;
  const phase = "review" as const;
  return [
    ...comparison.fresh.map((finding): NewEvent => ({ type: "finding.detected", phase, payload: { finding } })),
    ...comparison.back.map(
      (finding): NewEvent => ({ type: "finding.regressed", phase, payload: { finding, headSha } }),
    ),
    ...comparison.fixed.map(
      ({ finding }): NewEvent => ({
        type: "finding.resolved",
        phase,
        payload: { findingId: finding.id, headSha },
      }),
    ),
    ...comparison.dismissed.flatMap((one) => dismissalEvents(one)),
    ...comparison.released.map(
      ({ finding }): NewEvent => ({ type: "finding.undismissed", phase, payload: { findingId: finding.id } }),
    ),
    {
      type: "review.completed",
      phase,
      durationMs: input.durationMs,
      payload: {
        decision,
        conclusion,
        coverage: input.coverage,
        open,
        blocking,
        fresh: comparison.fresh.length,
        fixed: comparison.fixed.length,
        back: comparison.back.length,
        beyondLimit: input.beyondLimit,
      },
    },
    { type: "phase.completed", phase, payload: { phase, durationMs: input.durationMs } },
    {
      type: "run.completed",
      payload: {
        outcome,
        conclusion,
        phases: [phase],
        durationMs: elapsedMs(run.startedAt, input.at),
        totals: { findings: open, costUsd: 0, tokens: 0 },
        artifacts: [],
      },
    },
  ];
}

/** What a standing dismissal covers enters the ledger all the same: who asks why it is not reported gets an answer. */
function dismissalEvents({ finding, known, dismissal }: Comparison["dismissed"][number]): NewEvent[] {
  const phase = "review" as const;
  const { fingerprint: _place, rule: _rule, ...given } = dismissal;
  const payload = { findingId: finding.id, dismissal: given };
  return [
    ...(known ? [] : [{ type: "finding.detected", phase, payload: { finding } } as const]),
    { type: "finding.dismissed", phase, payload },
  ];
}

/** The findings that are dismissed when the review has ended, as the ledger will have them. */
function dismissedAfter({ dismissed, released }: Comparison, ledger: readonly LedgerEntry[]): LedgerEntry[] {
  const before = ledger.filter((entry) => entry.state === "dismissed" && !released.includes(entry));
  const now = dismissed.map(({ finding, known, dismissal }): LedgerEntry => {
    const { placement = "none", headSha = "" } = known ?? {};
    return { finding, state: "dismissed", placement, headSha, dismissal };
  });
  return [...before, ...now];
}

function reviewEffects(
  run: RunningRun,
  view: SubjectView,
  input: ReviewFinished,
  comparison: Comparison,
  verdict: Verdict,
): Effect[] {
  const { headSha } = run.ends;
  const of = subjectKey(run.subject);
  const key = (kind: Effect["kind"]) => effectKey(kind, of, headSha, run.request.id);
  const comments = findingsToComment(comparison, run.configuration);
  const post: Effect[] =
    comments.length > 0
      ? [
          {
            kind: "review.post",
            key: key("review.post"),
            payload: {
              headSha,
              findings: comments,
              anchors: input.anchors.filter(({ path }) => comments.some(({ file }) => file === path)),
              maxComments: run.configuration.review.max_comments,
            },
          },
        ]
      : [];
  const back = new Set(comparison.back.map((finding) => finding.fingerprint));
  const released = new Set(comparison.released);
  const overridden = overrideOn(view.facts, "forge/review", headSha);
  const report = reviewedReport({
    verdict,
    coverage: input.coverage,
    durationMs: input.durationMs,
    counts: {
      fresh: comparison.fresh.length,
      fixed: comparison.fixed.length,
      back: comparison.back.length,
      beyondLimit: input.beyondLimit,
    },
    findings: comparison.open.map(({ finding, known }) => {
      const state = back.has(finding.fingerprint) ? "regressed" : known && !released.has(known) ? known.state : "open";
      return { finding, state, placement: known?.placement ?? "none" };
    }),
    ledger: dismissedAfter(comparison, view.ledger),
    recent: view.recent,
    runId: run.runId,
  });
  return [
    ...post,
    {
      kind: "check.complete",
      key: key("check.complete"),
      payload: {
        check: "forge/review",
        headSha,
        openKey: key("check.open"),
        ...(comments.length > 0 ? { reviewKey: key("review.post") } : {}),
        conclusion: overridden ? "success" : verdict.conclusion,
        report,
        ...(overridden ? { overridden } : {}),
      },
    },
    ...threadEffects(run, comparison),
  ];
}

/** New findings above info, as the configuration wants them (GH-10a); what stands on the pull request is not posted again. */
function findingsToComment(comparison: Comparison, configuration: RepoConfig): Finding[] {
  const { comments } = configuration.review;
  if (comments === "none") return [];
  return comparison.open
    .filter(({ known }) => known === undefined || known.placement === "none")
    .map(({ finding }) => finding)
    .filter((finding) => finding.severity !== "info" && (comments === "all" || isBlocking(finding)))
    .sort(byImportance);
}
