import { GitHubCallFailed } from "../github-call-failed.ts";
import { fixedReply } from "../words/thread-replies.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { replyOnce } from "./reply-once.ts";
import { sendWrite } from "./send-write.ts";

/**
 * Says in a finding's thread that it is fixed, and resolves the thread (GH-3a). One that people began, that is resolved already or gone is
 * left as it is.
 */
export async function resolveThread(effect: EffectOf<"thread.resolve">, ports: EffectPorts): Promise<EffectOutcome> {
  const { commentId, because } = effect.payload;
  const thread = await ports.repository.findThread(effect.subject.number, commentId);
  if (!thread?.byBot || thread.resolved) return { kind: "done", result: {} };
  if (because.kind === "fixed") await replyOnce(effect, fixedReply(because), ports);
  await setResolved(ports, thread.id, true);
  return { kind: "done", result: {} };
}

/** Where the App may not write contents, GitHub lets it resolve nothing: the reply has to do (GH-3a, GH-16). */
export async function setResolved(ports: EffectPorts, threadId: string, resolved: boolean): Promise<void> {
  try {
    await sendWrite(ports, () => ports.resolver.setThreadResolved(threadId, resolved));
  } catch (error) {
    if (!(error instanceof GitHubCallFailed && error.failure.cause === "forbidden")) throw error;
  }
}
