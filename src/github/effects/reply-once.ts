import { findMarker, markerFor } from "../marker.ts";
import type { EffectOf, EffectPorts } from "./effect-ports.ts";
import { sendWrite } from "./send-write.ts";

/** Answers in the thread of a finding, unless an earlier attempt did (GH-13). */
export async function replyOnce(
  effect: EffectOf<"thread.resolve" | "thread.reopen">,
  said: string,
  ports: EffectPorts,
): Promise<void> {
  const { repository, markerSecret } = ports;
  const pull = effect.subject.number;
  if (effect.state === "sending") {
    const there = await repository.listReviewComments(pull);
    if (there.some(({ byBot, body }) => byBot && findMarker(body, effect, markerSecret))) return;
  }
  const body = `${said}\n${markerFor(effect, markerSecret)}`;
  await sendWrite(ports, "content", () => repository.replyInThread(pull, effect.payload.commentId, body));
}
