import { reassessRisk } from "../../analysis/risk/assess-risk.ts";
import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import { byImportance, type Finding, isOpen, type LedgerEntry } from "../../domain/findings.ts";
import type { ReviewCarried, ReviewFinished } from "../../domain/inputs.ts";
import type { Approval } from "../../domain/review-report.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING, onlyReports } from "../runs/decision.ts";
import { overrideOn } from "../runs/subject-facts.ts";
import {
  type Comparison,
  compareWithLedger,
  findingsToComment,
  withoutLate,
  withoutTakenBack,
} from "./compare-with-ledger.ts";
import { closeCheck, completeCheck, endEvents } from "./end-events.ts";
import { countHidden, type Hidden, hideLearnt } from "./hide-learnt.ts";
import type { ReviewFacts, RunningRun } from "./run-state.ts";
import { reviewedReport, riskOn, threadEffects } from "./show-ledger.ts";
import { approvalOf, reachVerdict, type Verdict, withQueued } from "./verdict.ts";
import type { SubjectView } from "./view.ts";

/** A head was analysed: what it means for the ledger, the verdict, and what people are told (GH-3a, GH-10, GH-11). */
export function concludeReview(view: SubjectView, input: ReviewFinished): Decision {
  const run = view.addressed;
  if (run?.status !== "running") return ignore("the run has ended");
  const { coverage } = input;
  const found = withoutTakenBack(withoutLate(input.findings, view.ledger, run.request, input), view.ledger);
  const { shown, hidden } = hideLearnt(found, view, run.subject);
  const comparison = compareWithLedger(shown, view.ledger, coverage, view.repository.dismissals, input.left);
  const open = comparison.open.map(({ finding }) => finding);
  const { headSha } = run.ends;
  const risk = input.risk && riskOn(input.risk, headSha, { facts: view.facts, findings: open });
  const approval = approvalOf(askedOf(run), risk, view.facts.judged, headSha);
  const verdict = withQueued(reachVerdict(open, coverage, risk, approval), input.queued ?? []);
  const facts = reviewFacts(run, input, { ...comparison, hidden }, verdict);
  // Kept without what tests reach, which may be measured anew.
  const assessed = input.risk && reassessRisk(input.risk, open);
  return {
    ...NOTHING,
    appends: [
      {
        runId: run.runId,
        expectedVersion: run.version,
        events: reviewEvents(
          run,
          input,
          { ...comparison, hidden },
          { ...facts, ...defined({ risk: assessed }) },
          verdict.outcome,
        ),
      },
    ],
    effects: [
      {
        runId: run.runId,
        headSha,
        effects: reviewEffects(run, view, input, comparison, verdict, { ...facts, ...defined({ risk }) }, approval),
      },
    ],
    jobs: [applyEffects(run.subject, input.at)],
  };
}

/** With what learning took out before. */
type Sorted = Comparison & { readonly hidden: readonly Hidden[] };

/** What the review came to, kept in the log: the check can be said anew from it. */
function reviewFacts(
  run: RunningRun,
  input: ReviewFinished,
  comparison: Sorted,
  { decision, conclusion, open, blocking }: Verdict,
): ReviewFacts {
  const { coverage, beyondLimit, durationMs } = input;
  const { fresh, fixed, back } = comparison;
  const ids = (findings: readonly { readonly id: string }[]) => findings.map(({ id }) => id);
  const commented = findingsToComment(run, input, comparison).length;
  return {
    ...{ decision, conclusion, coverage, open, blocking, beyondLimit, durationMs, commented },
    ...{ fresh: fresh.length, fixed: fixed.length, back: back.length },
    changes: { fresh: ids(fresh), fixed: ids(fixed.map(({ finding }) => finding)), back: ids(back) },
    ...(isLastRound(run, input, commented) ? { lastRound: true } : {}),
    ...(input.queued ? { queued: [...input.queued] } : {}),
    ...(comparison.hidden.length > 0 ? { hidden: countHidden(comparison.hidden) } : {}),
    ...defined({ cost: input.ai?.cost, task: input.task, forPeople: input.forPeople && [...input.forPeople] }),
    ...askedOf(run),
  };
}

/** Whether a high risk waits for people here (REV-2). The work of Forge itself asks them by a gate of its own. */
export function asksPeople({ configuration, subject, implements: work }: RunningRun): boolean {
  return configuration.review.high_risk === "ask" && subject.kind === "pull_request" && work === undefined;
}

/** What the log keeps of that, for when the check is said again. */
function askedOf(run: RunningRun): Pick<ReviewFacts, "asks" | "architects"> {
  return asksPeople(run) ? { asks: true, architects: [...run.configuration.review.architects] } : {};
}

function reviewEvents(
  run: RunningRun,
  input: ReviewFinished,
  comparison: Sorted,
  review: ReviewFacts,
  outcome: Verdict["outcome"],
): NewEvent[] {
  const { headSha } = run.ends;
  const phase = "review" as const;
  return [
    ...comparison.fresh.map((finding): NewEvent => ({ type: "finding.detected", phase, payload: { finding } })),
    ...comparison.hidden.map((payload): NewEvent => ({ type: "finding.hidden", phase, payload })),
    ...(input.ai?.rejected ?? []).map(
      (payload): NewEvent => ({ type: "finding.rejected", phase, payload: { ...payload } }),
    ),
    ...comparison.back.map(
      (finding): NewEvent => ({ type: "finding.regressed", phase, payload: { finding, headSha } }),
    ),
    ...comparison.fixed.map(({ finding }): NewEvent => {
      return { type: "finding.resolved", phase, payload: { findingId: finding.id, headSha } };
    }),
    ...comparison.outdated.map(({ finding }): NewEvent => {
      return { type: "finding.resolved", phase, payload: { findingId: finding.id, headSha, outdated: true } };
    }),
    ...comparison.dismissed.flatMap((one) => dismissalEvents(one)),
    ...comparison.released.map(
      ({ finding }): NewEvent => ({ type: "finding.undismissed", phase, payload: { findingId: finding.id } }),
    ),
    ...endEvents(run, review, outcome, input.at),
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
  review: ReviewFacts,
  approval: Approval | undefined,
): Effect[] {
  const { headSha } = run.ends;
  const of = subjectKey(run.subject);
  const key = (kind: Effect["kind"]) => effectKey(kind, of, headSha, run.request.id);
  const comments = findingsToComment(run, input, comparison).sort(byImportance);
  const back = new Set(comparison.back.map((finding) => finding.fingerprint));
  const released = new Set(comparison.released);
  const overridden = overrideOn(view.facts, "forge/review", headSha);
  // Who only reports suggests nothing.
  const reports = onlyReports(view.repository, run.configuration.safety.automation_level);
  const shown = ({ fix, ...finding }: Finding): Finding => ({
    ...finding,
    ...defined({ fix: reports ? undefined : fix }),
  });
  const report = reviewedReport({
    verdict,
    review,
    findings: comparison.open.map(({ finding, known }) => {
      const state = back.has(finding.fingerprint) ? "regressed" : known && !released.has(known) ? known.state : "open";
      return { finding: shown(finding), state, placement: known?.placement ?? "none" };
    }),
    ledger: dismissedAfter(comparison, view.ledger),
    recent: view.recent,
    runId: run.runId,
    approval,
  });
  const post: Effect[] =
    comments.length > 0
      ? [
          {
            kind: "review.post",
            key: key("review.post"),
            payload: {
              headSha,
              findings: comments.map(shown),
              anchors: input.anchors.filter(({ path }) => comments.some(({ file }) => file === path)),
              maxComments: run.configuration.review.max_comments,
              blocking: report.blocking,
              again: report.again,
              openKey: key("check.open"),
            },
          },
        ]
      : [];
  return [
    ...post,
    completeCheck(
      { ...run, headSha },
      {
        ...(comments.length > 0 ? { reviewKey: key("review.post") } : {}),
        conclusion: overridden ? "success" : verdict.conclusion,
        report,
        ...defined({ overridden }),
      },
    ),
    ...threadEffects(run, comparison),
  ];
}

function isLastRound(run: RunningRun, { rounds = 0 }: ReviewFinished, comments: number): boolean {
  return run.request.automatic && comments > 0 && rounds + 1 === run.configuration.review.max_rounds;
}

/**
 * The verdict of another head with the same files is given to this one (GH-3, GH-8d): the check says from where, nothing else is said
 * else, and the ledger stays as it is. What people decided since that review counts.
 */
export function carryReview(view: SubjectView, input: ReviewCarried): Decision {
  const run = view.addressed;
  if (run?.status !== "running") return ignore("the run has ended");
  const { carried, group, review: earlier, durationMs } = input;
  const reported =
    group?.findings ??
    view.ledger.filter(isOpen).map(({ finding, state, placement }) => ({ finding, state, placement }));
  const findings = reported.map(({ finding }) => finding);
  const { headSha } = run.ends;
  const risk = input.risk && riskOn(input.risk, headSha, { facts: view.facts, findings });
  const approval = approvalOf(askedOf(run), risk, view.facts.judged, headSha);
  const own = reachVerdict(findings, earlier.coverage, risk, approval);
  const source = group?.queued.find(({ number }) => number === carried.pull);
  // What a maintainer passed on the pull request is passed in the queue.
  const overridden = source?.overridden;
  const verdict = withQueued(overridden ? { ...own, conclusion: "success" } : own, group?.queued ?? []);
  const { decision, conclusion, open, blocking } = verdict;
  const review: ReviewFacts = {
    ...{ decision, conclusion, open, blocking, durationMs, carried },
    ...{ coverage: earlier.coverage, beyondLimit: earlier.beyondLimit },
    ...{ fresh: 0, fixed: 0, back: 0, commented: 0 },
    // Kept without what tests reach, which may be measured anew.
    ...defined({ risk: input.risk && reassessRisk(input.risk, findings), task: earlier.task, hidden: earlier.hidden }),
    ...(group ? { queued: [...group.queued] } : {}),
    ...askedOf(run),
  };
  const passed = conclusion === "success" ? overridden : undefined;
  const report = reviewedReport({
    ...{ verdict, review: { ...review, ...defined({ risk }) }, findings: reported },
    ...{ ledger: view.ledger, recent: view.recent, runId: run.runId, approval },
  });
  return {
    ...NOTHING,
    appends: [
      { runId: run.runId, expectedVersion: run.version, events: endEvents(run, review, verdict.outcome, input.at) },
    ],
    ...closeCheck(run, { conclusion, report, ...defined({ overridden: passed }) }, input.at),
  };
}
