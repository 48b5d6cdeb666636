import { defined } from "../../domain/defined.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { LedgerEntry } from "../../domain/findings.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { LedgerChange } from "../../store/runs/ledger.ts";

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
