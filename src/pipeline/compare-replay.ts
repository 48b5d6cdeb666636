import { isDeepStrictEqual } from "node:util";
import { defined } from "../domain/defined.ts";
import type { PlacedEvent, RunEvent } from "../domain/events.ts";
import type { LedgerEntry } from "../domain/findings.ts";
import { subjectKey } from "../domain/subjects.ts";
import { readEvents, verifyRun } from "../store/events/read-events.ts";
import { type LedgerChange, readLedger } from "../store/runs/ledger.ts";
import { listRunsOfSubject, readRun } from "../store/runs/read-runs.ts";
import type { Store } from "../store/store.ts";
import { kindOfRun } from "./kinds.ts";
import { projectLedger } from "./runs/project-ledger.ts";

/** One place where the tables say something else than the events. */
export interface ReplayDifference {
  /** `run.status`, `F-7K2Q.state`, `log`. */
  readonly what: string;
  readonly events: unknown;
  readonly tables: unknown;
}

export interface ReplayResult {
  readonly runId: string;
  readonly events: number;
  readonly findings: number;
  readonly differences: readonly ReplayDifference[];
}

/**
 * Makes a run, and the ledger of its subject, anew from events alone and holds both against the tables (PIPE-2, EVT-3). A log that was
 * changed by hand is a difference of its own.
 */
export async function compareReplay(store: Store, runId: string): Promise<ReplayResult> {
  const events = await readEvents(store, runId);
  const projected = kindOfRun(events)?.replay(events);
  const row = await readRun(store, runId);
  const broken = await verifyRun(store, runId);
  const log =
    broken.brokenAt === undefined
      ? []
      : [{ what: `log, event ${broken.brokenAt}`, events: "as written", tables: "changed since" }];
  if (!projected || !row) {
    const missing = { what: "run", events: projected ? "there" : "missing", tables: row ? "there" : "missing" };
    return { runId, events: events.length, findings: 0, differences: [...log, missing] };
  }
  const ledger = await replayLedger(store, row.subject);
  const stored = new Map((await readLedger(store, row.subject)).map((entry) => [entry.finding.id, entry]));
  return {
    runId,
    events: events.length,
    findings: ledger.size,
    differences: [
      ...log,
      ...compare("run", { ...projected }, { ...row }),
      ...[...new Set([...ledger.keys(), ...stored.keys()])].flatMap((id) =>
        compare(id, { ...ledger.get(id) }, { ...stored.get(id) }),
      ),
    ],
  };
}

type Subject = LedgerChange["subject"];

/** The ledger out of the logs of all runs of the subject and of its own, in the order in which the events were written. */
async function replayLedger(store: Store, subject: Subject): Promise<Map<string, LedgerEntry>> {
  const runs = await listRunsOfSubject(store, subject);
  const own = subjectKey(subject);
  const logs = await Promise.all([...runs.map(({ traceId }) => traceId), own].map((id) => readEvents(store, id)));
  const heads = headsOf(logs);
  const ledger = new Map<string, LedgerEntry>();
  for (const event of logs.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const head = heads.get(event.traceId) ?? "";
    for (const change of projectLedger(subject, head, [event], [...ledger.values()])) {
      ledger.set(change.finding.id, merge(ledger.get(change.finding.id), change));
    }
  }
  return ledger;
}

/** The head that each run was about when work began, which is what its findings stand on. */
function headsOf(logs: readonly (readonly RunEvent[])[]): Map<string, string> {
  const heads = new Map<string, string>();
  for (const event of logs.flat() as PlacedEvent[]) {
    if (event.type !== "run.started" && event.type !== "phase.entered") continue;
    if ("ends" in event.payload) heads.set(event.traceId, event.payload.ends.headSha);
  }
  return heads;
}

/** As the table takes a change: what is not said stays, a dismissal for as long as it stands. */
function merge(entry: LedgerEntry | undefined, change: LedgerChange): LedgerEntry {
  const { finding, state, headSha } = change;
  const commentId = change.commentId ?? entry?.commentId;
  const dismissal = state === "dismissed" ? (change.dismissal ?? entry?.dismissal) : undefined;
  return {
    finding,
    state,
    placement: change.placement ?? entry?.placement ?? "none",
    headSha,
    ...defined({ commentId, dismissal }),
  };
}

function compare(of: string, events: Record<string, unknown>, tables: Record<string, unknown>): ReplayDifference[] {
  const keys = [...new Set([...Object.keys(events), ...Object.keys(tables)])];
  return keys
    .filter((key) => !isDeepStrictEqual(events[key], tables[key]))
    .map((key) => ({ what: `${of}.${key}`, events: events[key], tables: tables[key] }));
}
