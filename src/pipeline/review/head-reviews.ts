import { defined } from "../../domain/defined.ts";
import type { FindingCounts } from "../../domain/event-catalogue.ts";
import type { Subject } from "../../domain/subjects.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { readLedger } from "../../store/runs/ledger.ts";
import { listRunsOfSubject } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";
import type { HeadReview } from "../runs/ports.ts";
import { readFacts } from "../runs/subject.ts";
import { replay } from "./evolve.ts";
import type { CompletedRun, RunState } from "./run-state.ts";
import { reportAnew } from "./show-ledger.ts";

/** Reviews of one pull request that are looked at, from the newest. */
const MOST = 50;

/**
 * What Forge's reviews of a pull request came to, newest first. That of the newest finished review is computed again, with what people dismissed
 * since then; an older one stays what it was, because the ledger has moved on to another head.
 */
export async function readHeadReviews(store: Store, subject: Subject): Promise<HeadReview[]> {
  const rows = (await listRunsOfSubject(store, subject)).filter(({ kind }) => kind === "review").slice(0, MOST);
  const logs = await Promise.all(rows.map(({ traceId }) => readEvents(store, traceId)));
  const runs = logs.flatMap((events) => replay(events) ?? []);
  const newest = runs.find((run) => run.status === "completed" && run.review);
  return Promise.all(runs.map((run) => (run === newest ? anew(store, run as CompletedRun) : headReviewOf(run))));
}

async function anew(store: Store, run: CompletedRun): Promise<HeadReview> {
  const [ledger, facts] = await Promise.all([readLedger(store, run.subject), readFacts(store, run.subject)]);
  const { report, outcome } = reportAnew(run, { ledger, recent: [], facts }) ?? {};
  const before = headReviewOf(run);
  if (report?.kind !== "reviewed" || outcome === undefined) return before;
  const { open, blocking, decision, risk, approval } = report;
  const approvedBy = approval?.is === "approved" ? approval.by : undefined;
  const now = { is: outcome, blocking, open: sumOf(open), decision, ...defined({ risk: risk?.level, approvedBy }) };
  return { ...before, ...now };
}

function sumOf({ critical, error, warning, info }: FindingCounts): number {
  return critical + error + warning + info;
}

function headReviewOf(run: RunState): HeadReview {
  const { runId, ends } = run;
  const of = { runId, headSha: ends.headSha, blocking: 0, open: 0 };
  switch (run.status) {
    case "pending":
    case "running":
      return { ...of, is: "running" };
    case "waiting":
      return { ...of, is: "stopped" };
    case "failed":
      return { ...of, is: "failed" };
    case "cancelled":
      return { ...of, is: "cancelled" };
    case "completed": {
      const { review, outcome, leftOut } = run;
      if (!review) return { ...of, is: "left_out", ...defined({ leftOut }) };
      return {
        ...of,
        is: isOutcome(outcome) ? outcome : "incomplete",
        ...{ blocking: review.blocking, open: sumOf(review.open), decision: review.decision },
        ...{ mergeBaseSha: review.coverage.mergeBaseSha, ...defined({ risk: review.risk?.level }) },
      };
    }
  }
}

const OUTCOMES = ["approved", "advisory", "changes_requested", "human_required", "needs_look", "incomplete"] as const;

function isOutcome(outcome: string): outcome is (typeof OUTCOMES)[number] {
  return OUTCOMES.some((one) => one === outcome);
}
