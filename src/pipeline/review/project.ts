import { defined } from "../../domain/defined.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import type { Conclusion } from "../../domain/phases.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { LedgerChange } from "../../store/runs/ledger.ts";
import type { RunProjection } from "../../store/runs/upsert-runs.ts";
import { type RunState, waitsAtGate } from "./run-state.ts";

/** The row of a run; tables are projections of events and can be made anew from them at any time. */
export function projectRun(run: RunState): RunProjection {
  const ended = "endedAt" in run ? { endedAt: run.endedAt } : {};
  const conclusion = conclusionOf(run);
  return {
    traceId: run.runId,
    kind: run.kind,
    subject: run.subject,
    status: run.status === "running" && waitsAtGate(run) ? "waiting" : run.status,
    headSha: run.ends.headSha,
    baseSha: run.ends.baseSha,
    requestId: run.request.id,
    startedAt: run.startedAt,
    version: run.version,
    ...ended,
    ...defined({ conclusion }),
  };
}

function conclusionOf(run: RunState): Conclusion | undefined {
  if (run.status === "completed") return run.conclusion;
  if (run.status === "failed") return "action_required";
  // A run that was cancelled before any work began has no conclusion: it does not count against the limits (GH-8b).
  if (run.status === "cancelled" && run.begun) return "cancelled";
  return undefined;
}

/** What events change in their subject's ledger (GH-3a), in order. `headSha` is the head that the run of the events is about. */
export function projectLedger(
  subject: Subject,
  headSha: string,
  events: readonly PlacedEvent[],
  ledger: readonly LedgerEntry[],
): LedgerChange[] {
  const known = new Map(ledger.map((entry) => [entry.finding.id, entry]));
  const lines = new Map<string, LedgerChange>();
  const change = (findingId: string, to: Partial<LedgerChange>) => {
    const line = lines.get(findingId) ?? lineOf(subject, known.get(findingId));
    const next = { ...line, ...to } as LedgerChange;
    if (next.finding) lines.set(findingId, next);
  };
  for (const event of events) {
    switch (event.type) {
      case "finding.detected": {
        const { finding } = event.payload;
        change(finding.id, { subject, finding, state: "open", placement: "none", headSha });
        break;
      }
      case "finding.regressed":
        change(event.payload.finding.id, { ...event.payload, state: "regressed" });
        break;
      case "finding.resolved": {
        const { findingId, headSha: at, outdated } = event.payload;
        change(findingId, { state: outdated ? "outdated" : "fixed", headSha: at });
        break;
      }
      case "finding.dismissed": {
        const { findingId, dismissal } = event.payload;
        change(findingId, { state: "dismissed", dismissal });
        break;
      }
      case "finding.undismissed":
        change(event.payload.findingId, { state: "open" });
        break;
      case "feedback.outcome": {
        const { findingId, outcome, mended } = event.payload;
        change(findingId, { outcome: mended ? "fixed" : outcome });
        break;
      }
      case "finding.posted": {
        const { findingId, placement, commentId } = event.payload;
        change(findingId, { placement, ...defined({ commentId }) });
        break;
      }
    }
  }
  return [...lines.values()];
}

function lineOf(subject: Subject, entry: LedgerEntry | undefined): Partial<LedgerChange> {
  return entry ? { subject, finding: entry.finding, state: entry.state, headSha: entry.headSha } : { subject };
}
