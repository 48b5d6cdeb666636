import { GitHubCallFailed } from "../github-call-failed.ts";
import { fixedReply } from "../words/thread-replies.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { replyOnce } from "./reply-once.ts";
import { sendWrite } from "./send-write.ts";

/**
 * Resolves a finding's thread and says in it that the finding is fixed (GH-3a). One that people began, that people resolved or that is gone
 * is left as it is. Where Forge may not resolve it, the reply asks a person to.
 */
export async function resolveThread(effect: EffectOf<"thread.resolve">, ports: EffectPorts): Promise<EffectOutcome> {
  const { commentId, because } = effect.payload;
  const thread = await ports.repository.findThread(effect.subject.number, commentId);
  // An earlier attempt may have resolved it and not come to the reply.
  const begun = effect.state === "sending";
  if (!thread?.byBot || (thread.resolved && !begun)) return { kind: "done", result: {} };
  const resolved = thread.resolved || (await setResolved(ports, thread.id, true));
  if (because.kind === "fixed") await replyOnce(effect, fixedReply(because, resolved), ports);
  return { kind: "done", result: {} };
}

/** Whether it could: where the App may not write contents, GitHub lets it resolve nothing (GH-3a, GH-16). */
export async function setResolved(ports: EffectPorts, threadId: string, resolved: boolean): Promise<boolean> {
  try {
    await sendWrite(ports, "no content", () => ports.resolver.setThreadResolved(threadId, resolved));
    return true;
  } catch (error) {
    if (!(error instanceof GitHubCallFailed && error.failure.cause === "forbidden")) throw error;
    return false;
  }
}
