import { defined } from "../../../domain/defined.ts";
import { type Effect, effectKey } from "../../../domain/effects.ts";
import type { Others, PlacedEvent } from "../../../domain/events.ts";
import type { Gate, GateStanding } from "../../../domain/gates.ts";
import { FORGE, type Subject, subjectKey } from "../../../domain/subjects.ts";

/** Folds one event into the gates of its run: pure. An answered gate keeps its first answer. */
export function evolveGates(gates: readonly Gate[], event: PlacedEvent): readonly Gate[] {
  const { at, traceId: runId } = event;
  const by = (event.actor ?? FORGE).login;
  switch (event.type) {
    case "gate.requested":
      return [...gates, { ...event.payload, runId, standing: { is: "open" } }];
    case "gate.approved":
    case "gate.rejected": {
      const { gate, note } = event.payload;
      const is = event.type === "gate.approved" ? "approved" : "rejected";
      return settle(gates, gate, { is, by, at, ...defined({ note }) });
    }
    case "gate.timeout":
      return settle(gates, event.payload.gate, { is: "timed_out", at });
    case "gate.voided": {
      const { gate, byHead } = event.payload;
      return settle(gates, gate, { is: "voided", at, ...defined({ byHead }) });
    }
    default:
      event.type satisfies Others<"gate">;
      return gates;
  }
}

function settle(gates: readonly Gate[], id: string, standing: GateStanding): readonly Gate[] {
  return gates.map((gate) => (gate.gate === id && gate.standing.is === "open" ? { ...gate, standing } : gate));
}

/** The comment of a gate as it stands now: there is one for each gate, and it is edited in place. */
export function showGate(subject: Subject, gate: Gate): Effect {
  const about = `${gate.gate}.${gate.standing.is}`;
  return {
    kind: "gate.show",
    key: effectKey("gate.show", subjectKey(subject), gate.headSha, gate.runId, about),
    payload: { gate },
  };
}
