import { markerFor } from "../marker.ts";
import { answerText } from "../words/answers.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { sendWrite } from "./send-write.ts";

/** An answer in words: in the thread it belongs to, else in the conversation. */
export async function reply(effect: EffectOf<"comment.reply">, ports: EffectPorts): Promise<EffectOutcome> {
  const { repository, markerSecret, wording } = ports;
  const { thread, answer } = effect.payload;
  const pull = effect.subject.number;
  const marker = markerFor(effect, markerSecret);
  if (effect.state === "sending") {
    const there =
      thread === undefined ? await repository.listComments(pull) : await repository.listReviewComments(pull);
    if (there.some(({ byBot, body }) => byBot && body.includes(marker))) return { kind: "done", result: {} };
  }
  const body = `${answerText(answer, wording, effect.subject.kind)}\n${marker}`;
  await sendWrite(ports, "content", () =>
    thread === undefined ? repository.createComment(pull, body) : repository.replyInThread(pull, thread, body),
  );
  return { kind: "done", result: {} };
}
