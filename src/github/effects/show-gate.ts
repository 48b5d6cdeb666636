import { showGate as gateEffect } from "../../pipeline/runs/gates/show-gate.ts";
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
  // An answer within seconds is shown before GitHub's lists have the comment: what was remembered of its making counts first (GH-13).
  const known = isNew ? undefined : (await ports.results(askedKey(effect)))?.commentId;
  const remembered = known === undefined ? undefined : await repository.findComment(known);
  const there = isNew || remembered ? [] : await repository.listComments(pull);
  const own = remembered ?? there.find((comment) => comment.byBot && findMarker(comment.body, marked, markerSecret));
  if (own?.body === body) return { kind: "done", result: { commentId: own.id } };
  const { id } = await sendWrite(ports, "content", async () => {
    if (!own) return repository.createComment(pull, body);
    await repository.updateComment(own.id, body);
    return own;
  });
  return { kind: "done", result: { commentId: id } };
}

/** Of the effect that made the comment. */
function askedKey({ subject, payload }: EffectOf<"gate.show">): string {
  return gateEffect(subject, { ...payload.gate, standing: { is: "open" } }).key;
}
