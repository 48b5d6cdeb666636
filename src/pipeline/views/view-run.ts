import type { Activity } from "../../domain/activity.ts";
import type { ReleaseStanding } from "../../domain/deployments.ts";
import type { PlacedEvent, RunEvent } from "../../domain/events.ts";
import { byImportance, isOpen, type LedgerEntry } from "../../domain/findings.ts";
import type { Plan } from "../../domain/plan.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import { readEventsOfTypes } from "../../store/events/read-log-page.ts";
import { readLedger } from "../../store/runs/ledger.ts";
import { listOpenGates, type OpenGate } from "../../store/runs/open-gates.ts";
import { findListedRun, type ListedRun } from "../../store/runs/overview.ts";
import { findActiveRun, findLatestRun } from "../../store/runs/read-runs.ts";
import { listSpendOfRun, type SpentRow } from "../../store/spend/read-spend.ts";
import type { Store } from "../../store/store.ts";
import { TIMELINE_EVENTS, type Timeline, timelineOf } from "./timeline.ts";

/** What people want to know of one run (OPS-2), as far as its page shows it. */
export interface RunReport {
  readonly run: ListedRun;
  /** A command about the work of its issue, pull request or environment is about this run, and not about one that followed. */
  readonly isMeant: boolean;
  readonly timeline: Timeline;
  readonly gates: readonly OpenGate[];
  /** The last plan, with how many tasks of it are done. */
  readonly plan?: { readonly plan: Plan; readonly revision: number; readonly done: ReadonlySet<string> };
  readonly findings: readonly LedgerEntry[];
  /** How many findings are not among them. */
  readonly moreFindings: number;
  readonly tests?: TestOutcome;
  /** Why it failed, or why it was cancelled. */
  readonly failure?: string;
  readonly spent: readonly SpentRow[];
  /** The activity of the last report; absent after a later event of the run. */
  readonly activity?: { readonly is: Activity; readonly at: string };
  /** Where the version is that the work was merged into. */
  readonly release?: { readonly is: ReleaseStanding; readonly at: string };
}

const OTHERS = ["plan.proposed", "task.completed", "test.passed", "test.failed", "test.skipped"] as const;
/** What a run does, and what makes that old. */
const MOVES = [
  ...(["work.progressed", "review.progressed", "review.parked", "task.completed", "work.completed"] as const),
  ...(["phase.entered", "phase.completed", "phase.bounced", "phase.failed", "run.stopped", "run.resumed"] as const),
  ...(["gate.requested", "gate.approved", "gate.rejected", "gate.timeout", "gate.voided"] as const),
];
/** A run that has more is shown by the last of them. */
const MOST_EVENTS = 2_000;
const MOST_FINDINGS = 100;

/**
 * Reads it; undefined where there is no such run, or where `sees` says no to its repository: then nothing else of it is read, so that
 * neither the time nor an error tells of it. What is asked of it stays small, however long its log is.
 */
export async function viewRun(
  store: Store,
  runId: string,
  sees: (repositoryId: number) => boolean,
): Promise<RunReport | undefined> {
  const run = await findListedRun(store, runId);
  if (!run || !sees(run.subject.repository.id)) return undefined;
  const [events, gates, spent, ledger, [moved], [released], meant] = await Promise.all([
    readEventsOfTypes(store, runId, [...TIMELINE_EVENTS, ...OTHERS], MOST_EVENTS),
    listOpenGates(store, runId),
    listSpendOfRun(store, runId),
    readLedger(store, reviewedBy(run)),
    readEventsOfTypes(store, runId, MOVES, 1),
    readEventsOfTypes(store, runId, ["release.moved"], 1),
    isMeant(store, run),
  ]);
  const findings = [...ledger].sort(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || byImportance(a.finding, b.finding),
  );
  return {
    ...{ run, gates, spent, timeline: timelineOf(events), isMeant: meant },
    findings: findings.slice(0, MOST_FINDINGS),
    moreFindings: Math.max(0, findings.length - MOST_FINDINGS),
    ...planIn(events),
    ...testsIn(events),
    ...failureIn(events),
    ...(run.status === "running" ? activityIn(moved) : {}),
    ...(released?.type === "release.moved" ? { release: { is: released.payload.release, at: released.at } } : {}),
  };
}

/** Whether a command about the work there is about this run: it is at work, or the latest where none is. */
export async function isMeant(
  store: Store,
  { runId, subject }: Pick<ListedRun, "runId" | "subject">,
): Promise<boolean> {
  const meant = (await findActiveRun(store, subject)) ?? (await findLatestRun(store, subject));
  return meant === undefined || meant.traceId === runId;
}

function activityIn(moved: PlacedEvent | undefined): Pick<RunReport, "activity"> {
  if (moved?.type === "review.progressed") return { activity: { is: moved.payload, at: moved.at } };
  if (moved?.type !== "work.progressed") return {};
  const { costUsd: _ofTheRun, ...is } = moved.payload;
  return { activity: { is, at: moved.at } };
}

/** Where the findings stand: work on an issue is reviewed on the pull request that it opened. */
export function reviewedBy({ subject, pullNumber }: ListedRun): Subject {
  if (subject.kind !== "issue" || pullNumber === null) return subject;
  return { kind: "pull_request", repository: subject.repository, number: pullNumber };
}

function planIn(events: readonly PlacedEvent[]): Pick<RunReport, "plan"> {
  const last = events.findLastIndex(({ type }) => type === "plan.proposed");
  const proposed = events[last];
  if (proposed?.type !== "plan.proposed") return {};
  const done = new Set(
    events.slice(last).flatMap((event) => (event.type === "task.completed" ? [event.payload.taskId] : [])),
  );
  return { plan: { plan: proposed.payload.plan, revision: proposed.payload.revision, done } };
}

function testsIn(events: readonly RunEvent[]): Pick<RunReport, "tests"> {
  for (const event of events.toReversed()) {
    if (event.type === "test.passed" || event.type === "test.failed" || event.type === "test.skipped") {
      return { tests: event.payload };
    }
  }
  return {};
}

function failureIn(events: readonly RunEvent[]): Pick<RunReport, "failure"> {
  const last = events.at(-1);
  if (last?.type === "run.failed") return { failure: last.payload.error.message };
  if (last?.type === "run.stopped" && last.payload.reason) return { failure: last.payload.reason };
  return {};
}
