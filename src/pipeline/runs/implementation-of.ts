import type { Demands } from "../../agents/reviewer/brief.ts";
import type { ImplementsRef } from "../../domain/event-catalogue.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { WorkChecks } from "../../domain/implementation.ts";
import type { RiskLevel } from "../../domain/risk.ts";
import { numberOf, type Subject } from "../../domain/subjects.ts";
import type { TestOutcome } from "../../domain/test-report.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { readEventsOfTypes } from "../../store/events/read-log-page.ts";
import { findImplementation } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";

/** The work on an issue, as those need it who see its pull request or its commits. */
export interface IssueWork {
  /** The issue. */
  readonly subject: Subject;
  readonly runId: string;
  /** Empty before there is one. */
  readonly branch: string;
  /** Where the branch stands by Forge's own record; empty before there is one. */
  readonly headSha: string;
  /** Nothing of it can go on: it was merged, has nothing left to do, or was cancelled. What failed or was stopped is not over. */
  readonly over: boolean;
}

/** The newest implementation that opened this pull request, or whose branch has this head. */
export async function implementationOf(
  store: Store,
  repositoryId: number,
  by: { readonly pull: number } | { readonly headSha: string },
): Promise<IssueWork | undefined> {
  const run = await findImplementation(store, repositoryId, by);
  if (!run) return undefined;
  const { subject, traceId: runId, branch = "", headSha, status } = run;
  return { subject, runId, branch, headSha, over: status === "completed" || status === "cancelled" };
}

/** The work on the issue that a pull request belongs to, as a conversation; undefined for an issue, and for a pull request of a person. */
export async function workBehind(store: Store, place: Subject): Promise<IssueWork | undefined> {
  return place.kind === "issue" ? undefined : implementationOf(store, place.repository.id, { pull: numberOf(place) });
}

/** Whether a person or a limit stopped the work, and nobody resumed it. */
export async function isStopped(store: Store, work: ImplementsRef | undefined): Promise<boolean> {
  if (!work) return false;
  const [last] = await readEventsOfTypes(store, work.runId, ["run.stopped", "run.resumed"], 1);
  return last?.type === "run.stopped";
}

/** How risky the change of a pull request is by its plan; undefined for one without. */
export async function plannedRisk(store: Store, place: Subject): Promise<RiskLevel | undefined> {
  const work = await workBehind(store, place);
  if (!work) return undefined;
  const [proposed] = await readEventsOfTypes(store, work.runId, ["plan.proposed"], 1);
  return proposed?.payload.plan.risk.level;
}

/** The plan's demands on a change by Forge, as people saw it last (PLAN-1); undefined for the changes of others. */
export async function readDemands(store: Store, work: ImplementsRef | undefined): Promise<Demands | undefined> {
  if (!work) return undefined;
  const events = await readEvents(store, work.runId);
  const proposed = events.findLast((event) => event.type === "plan.proposed");
  if (proposed?.type !== "plan.proposed") return undefined;
  const { plan } = proposed.payload;
  const { constraints, acceptance_criteria: criteria, not_included: notIncluded, decisions } = plan;
  const interfaces = plan.architecture?.interfaces ?? [];
  const rounds = events.flatMap((event) => (event.type === "work.completed" ? [event.payload] : []));
  const notDone = [...new Set(rounds.flatMap((round) => round.notDone))];
  const tested = events.findLast(isTested);
  const earlier = isTested(tested) ? [`On an earlier commit of it: ${describeTests(tested.payload)}`] : [];
  const checks = rounds.findLast((round) => round.checks !== undefined)?.checks;
  return {
    constraints,
    criteria,
    notIncluded,
    interfaces,
    decisions,
    notDone,
    executed: [...describeChecks(checks), ...earlier],
  };
}

function isTested(event: PlacedEvent | undefined) {
  return event?.type === "test.passed" || event?.type === "test.failed";
}

function describeChecks(checks: WorkChecks | undefined): string[] {
  if (!checks) return [];
  const { types, tests, failing, notRun } = checks;
  return [
    ...(types === undefined ? [] : [`The type check ${types}.`]),
    ...(tests === undefined ? [] : [`${tests.runner}, the tests that the last edits affect: ${counts(tests)}.`]),
    ...failing.map((line) => `Failing: ${line}`),
    ...notRun,
  ];
}

function describeTests(outcome: TestOutcome): string {
  const { runner = "tests", failures } = outcome;
  const failing = failures.slice(0, 10).map(({ name, class: kind }) => `${name} (${kind})`);
  return `${runner}: ${counts(outcome)}${failing.length === 0 ? "" : `; ${failing.join(", ")}`}.`;
}

function counts({ passed, failed }: { readonly passed: number; readonly failed: number }): string {
  return `${passed} passed, ${failed} failed`;
}
