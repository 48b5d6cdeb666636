import { findMarker, markerFor } from "../marker.ts";
import { gateText } from "../words/gate-text.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { sendWrite } from "./send-write.ts";

/** The comment of a gate: made when it is asked, edited in place when it is answered or void. */
export async function showGate(effect: EffectOf<"gate.show">, ports: EffectPorts): Promise<EffectOutcome> {
  const { repository, markerSecret, wording } = ports;
  const { gate } = effect.payload;
  const pull = effect.subject.number;
  // The same in all its states, so that there is one comment for each gate.
  const marked = { kind: "gate", key: `${gate.runId}/${gate.gate}` };
  const body = `${gateText(gate, wording, effect.subject.kind)}\n${markerFor(marked, markerSecret)}`;
  const isNew = gate.standing.is === "open" && effect.state !== "sending";
  const there = isNew ? [] : await repository.listComments(pull);
  const own = there.find((comment) => comment.byBot && findMarker(comment.body, marked, markerSecret));
  if (own?.body === body) return { kind: "done", result: {} };
  await sendWrite(ports, async () => {
    if (own) await repository.updateComment(own.id, body);
    else await repository.createComment(pull, body);
  });
  return { kind: "done", result: {} };
}
