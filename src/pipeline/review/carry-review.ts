import { reassessRisk } from "../../analysis/risk/assess-risk.ts";
import { defined } from "../../domain/defined.ts";
import { isOpen } from "../../domain/findings.ts";
import type { ReviewCarried } from "../../domain/inputs.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { asksPeople } from "./conclude-review.ts";
import { completeCheck, endEvents } from "./end-events.ts";
import type { ReviewFacts } from "./run-state.ts";
import { reviewedReport, riskOn } from "./show-ledger.ts";
import { approvalOf, reachVerdict, withQueued } from "./verdict.ts";
import type { SubjectView } from "./view.ts";

/**
 * The verdict of another head with the same files is given to this one (GH-3, GH-8d): the check says from where, nobody is told anything
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
  const risk = input.risk && riskOn(input.risk, run.ends.headSha, { facts: view.facts, findings });
  const approval = approvalOf({ asks: asksPeople(run) }, risk, view.facts.judged, run.ends.headSha);
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
    ...defined({ risk: input.risk && reassessRisk(input.risk, findings) }),
    ...(group ? { queued: [...group.queued] } : {}),
    ...(asksPeople(run) ? { asks: true } : {}),
  };
  const { headSha } = run.ends;
  const report = reviewedReport({
    ...{ verdict, review: { ...review, ...defined({ risk }) }, findings: reported },
    ...{ ledger: view.ledger, recent: view.recent, runId: run.runId, approval },
  });
  return {
    ...NOTHING,
    appends: [
      { runId: run.runId, expectedVersion: run.version, events: endEvents(run, review, verdict.outcome, input.at) },
    ],
    effects: [
      {
        runId: run.runId,
        headSha,
        effects: [
          completeCheck(
            { ...run, headSha },
            { conclusion, report, ...(overridden && conclusion === "success" ? { overridden } : {}) },
          ),
        ],
      },
    ],
    jobs: [applyEffects(run.subject, input.at)],
  };
}
