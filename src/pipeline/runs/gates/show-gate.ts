import { type Effect, effectKey } from "../../../domain/effects.ts";
import type { Gate } from "../../../domain/gates.ts";
import { type Subject, subjectKey } from "../../../domain/subjects.ts";

/** The comment of a gate as it stands now: there is one for each gate, and it is edited in place. */
export function showGate(subject: Subject, gate: Gate): Effect {
  const about = `${gate.gate}.${gate.standing.is}`;
  return {
    kind: "gate.show",
    key: effectKey("gate.show", subjectKey(subject), gate.headSha, gate.runId, about),
    payload: { gate },
  };
}
