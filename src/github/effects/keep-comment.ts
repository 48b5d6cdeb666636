import type { ReviewComment } from "../github-repository.ts";
import { findMarker, type Marked, markerFor } from "../marker.ts";
import type { EffectOutcome, EffectPorts, PendingEffect } from "./effect-ports.ts";
import { sendWrite } from "./send-write.ts";

/**
 * One comment of a run, made once and edited in place; nothing is written where it says the same already. It is known by what was
 * remembered of its making, else found by its marker, so that neither a crash nor a list that lags behind makes a second one (GH-13). One
 * that somebody deleted is made anew: what it says has to be said somewhere (GH-12a).
 */
export async function keepComment(
  effect: PendingEffect,
  marked: Marked,
  text: string,
  ports: EffectPorts,
): Promise<EffectOutcome> {
  const { repository, markerSecret } = ports;
  const body = `${text}\n${markerFor(marked, markerSecret)}`;
  const own = await findOwn(effect.subject.number, marked, ports);
  if (!own) {
    const { id } = await sendWrite(ports, "content", () => repository.createComment(effect.subject.number, body));
    return { kind: "done", result: { commentId: id } };
  }
  if (own.body !== body) await sendWrite(ports, "content", () => repository.updateComment(own.id, body));
  return { kind: "done", result: { commentId: own.id } };
}

async function findOwn(
  number: number,
  marked: Marked,
  { repository, markerSecret, earlier }: EffectPorts,
): Promise<ReviewComment | undefined> {
  const known = (await earlier())?.commentId;
  const remembered = known === undefined ? undefined : await repository.findComment(known);
  if (remembered) return remembered;
  const there = await repository.listComments(number);
  return there.find(({ byBot, body }) => byBot && findMarker(body, marked, markerSecret));
}
