import { GitHubCallFailed } from "../github-call-failed.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { sendWrite } from "./send-write.ts";

/** A reaction on a comment; GitHub keeps one of a kind from each account, so that it can be sent again without looking. */
export async function react(effect: EffectOf<"comment.react">, ports: EffectPorts): Promise<EffectOutcome> {
  const { comment, commentId, content } = effect.payload;
  try {
    await sendWrite(ports, "content", () => ports.repository.react(comment, commentId, content));
    return { kind: "done", result: {} };
  } catch (error) {
    // A locked conversation or a missing permission: an acknowledgement less, and nothing that somebody has to mend.
    const isNo = error instanceof GitHubCallFailed && ["forbidden", "refused"].includes(error.failure.cause);
    if (isNo) return { kind: "obsolete", reason: error.failure.message };
    throw error;
  }
}
