import type { EventType } from "../../domain/event-catalogue.ts";
import { type LogLine, readLogPage } from "../../store/events/read-log-page.ts";
import type { Store } from "../../store/store.ts";

/**
 * What anybody who sees the repository may read: what Forge says there on GitHub as well. All else, such as what agents think, do with their
 * tools, remember and were kept from, is for people who may push. A new type of event is among that until it is named here.
 */
const FOR_READERS: readonly EventType[] = [
  ...(["run.started", "run.resumed", "run.stopped", "run.completed", "run.failed", "run.cancelled"] as const),
  ...(["phase.entered", "phase.completed", "phase.bounced", "phase.failed", "phase.skipped"] as const),
  ...(["plan.proposed", "plan.accepted", "task.completed", "work.completed", "branch.pushed"] as const),
  ...([
    "pull.opened",
    "pull.merged",
    "pull.ready",
    "test.passed",
    "test.failed",
    "test.skipped",
    "test.flaky",
  ] as const),
  ...(["finding.detected", "finding.resolved", "finding.regressed", "finding.posted"] as const),
  ...(["finding.dismissed", "finding.undismissed", "risk.assessed", "review.completed", "check.settled"] as const),
  ...(["subject.closed", "subject.reopened"] as const),
  ...(["gate.requested", "gate.approved", "gate.rejected", "gate.timeout", "gate.voided"] as const),
  ...(["deployment.started", "deployment.announced", "deployment.progressed", "deployment.promoted"] as const),
  ...(["deployment.rolled_back", "deployment.completed"] as const),
];
const LINES = 100;
/** Of a payload that are shown. */
const CHARACTERS = 4_000;

/** The log of a run from a version on, a page of it. */
export interface RunLog {
  readonly lines: readonly LogLine[];
  /** The version to go on after, where there is more. */
  readonly next?: number;
}

/** `reasoning`: with what is for people who may push. */
export async function viewLog(
  store: Store,
  runId: string,
  { after, reasoning }: { readonly after: number; readonly reasoning: boolean },
): Promise<RunLog> {
  const page = { after, limit: LINES + 1, characters: CHARACTERS, ...(reasoning ? {} : { types: FOR_READERS }) };
  const found = await readLogPage(store, runId, page);
  const lines = found.slice(0, LINES);
  const last = lines.at(-1);
  return { lines, ...(found.length > LINES && last ? { next: last.version } : {}) };
}
