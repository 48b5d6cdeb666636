import { type Effect, effectKey } from "../domain/effects.ts";
import type { NewEvent } from "../domain/events.ts";
import { byImportance, type Finding, isBlocking } from "../domain/findings.ts";
import type { ReviewFinished } from "../domain/inputs.ts";
import type { RepoConfig } from "../domain/repo-config.ts";
import { subjectKey } from "../domain/subjects.ts";
import { type Comparison, compareWithLedger } from "./compare-with-ledger.ts";
import { applyEffects, type Decision, ignore, NOTHING, type SubjectView } from "./decision.ts";
import { elapsedMs } from "./elapsed.ts";
import type { RunningRun } from "./run-state.ts";
import { threadEffects } from "./thread-effects.ts";
import { reachVerdict, type Verdict } from "./verdict.ts";

/** A head was analysed: what it means for the ledger, the verdict, and what people are told (GH-3a, GH-10, GH-11). */
export function concludeReview(view: SubjectView, input: ReviewFinished): Decision {
  const run = view.addressed;
  if (run?.status !== "running") return ignore("the run has ended");
  const { coverage } = input;
  const comparison = compareWithLedger(input.findings, view.ledger, coverage);
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
  const again = view.recent.some((earlier) => earlier.runId !== run.runId && wasReviewed(earlier.conclusion));
  const { decision, conclusion, open, blocking } = verdict;
  const back = new Set(comparison.back.map((finding) => finding.fingerprint));
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
        conclusion,
        report: {
          kind: "reviewed",
          decision,
          open,
          blocking,
          findings: comparison.open.map(({ finding, known }) => ({
            finding,
            state: back.has(finding.fingerprint) ? "regressed" : (known?.state ?? "open"),
            placement: known?.placement ?? "none",
          })),
          fresh: comparison.fresh.length,
          fixed: comparison.fixed.length,
          back: comparison.back.length,
          beyondLimit: input.beyondLimit,
          again,
          coverage: input.coverage,
          durationMs: input.durationMs,
          costUsd: 0,
        },
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

function wasReviewed(conclusion: string | undefined): boolean {
  return conclusion !== undefined && conclusion !== "skipped" && conclusion !== "cancelled";
}
