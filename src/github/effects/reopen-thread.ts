import { backReply } from "../words/thread-replies.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { replyOnce } from "./reply-once.ts";
import { setResolved } from "./resolve-thread.ts";

/** Opens the thread of a finding again, and says in it that the finding is back, when it was gone (GH-3a). */
export async function reopenThread(effect: EffectOf<"thread.reopen">, ports: EffectPorts): Promise<EffectOutcome> {
  const { commentId, headSha } = effect.payload;
  const thread = await ports.repository.findThread(effect.subject.number, commentId);
  if (!thread?.byBot) return { kind: "done", result: {} };
  if (headSha !== undefined) await replyOnce(effect, backReply(headSha), ports);
  if (thread.resolved) await setResolved(ports, thread.id, false);
  return { kind: "done", result: {} };
}
