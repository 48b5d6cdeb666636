import { GitHubCallFailed } from "../classify-failure.ts";
import type { EffectPorts, Writes } from "./effect-ports.ts";
import { pushOrSay } from "./push-commits.ts";

type Meter = Pick<EffectPorts, "budget" | "sending">;

/** Whether GitHub counts a write as content: something that people are told of. */
const IS_CONTENT = { yes: { content: true }, no: { content: false } } as const;

/** The writes of one attempt at an effect: each waits for the installation's budget, and is written down before it goes. */
export function meterWrites(to: Writes, { budget, sending }: Meter): Writes {
  let first = true;
  const send = async <T>(counted: { readonly content: boolean }, write: () => Promise<T>): Promise<T> => {
    await budget.take(counted);
    await sending(first);
    first = false;
    try {
      return await write();
    } catch (error) {
      const failure = error instanceof GitHubCallFailed ? error.failure : undefined;
      if (failure?.cause === "rate_limited" && failure.announced) await budget.pause(failure.retryAfterMs);
      throw error;
    }
  };
  const { yes, no } = IS_CONTENT;
  return {
    createCheckRun: (...given) => send(no, () => to.createCheckRun(...given)),
    updateCheckRun: (...given) => send(no, () => to.updateCheckRun(...given)),
    createReview: (...given) => send(yes, () => to.createReview(...given)),
    deletePendingReview: (...given) => send(no, () => to.deletePendingReview(...given)),
    createFileComment: (...given) => send(yes, () => to.createFileComment(...given)),
    replyInThread: (...given) => send(yes, () => to.replyInThread(...given)),
    createComment: (...given) => send(yes, () => to.createComment(...given)),
    updateComment: (...given) => send(yes, () => to.updateComment(...given)),
    react: (...given) => send(yes, () => to.react(...given)),
    setThreadResolved: (...given) => send(no, () => to.setThreadResolved(...given)),
    createPull: (...given) => send(yes, () => to.createPull(...given)),
    updatePull: (...given) => send(yes, () => to.updatePull(...given)),
    markPullReady: (...given) => send(no, () => to.markPullReady(...given)),
    pushBranch: (request) => send(no, () => pushOrSay(to.pushBranch, request)),
  };
}

/** A write with GitHub's "no" to this very request (422) as a value. */
export async function orRefused<T>(
  write: Promise<T>,
): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }> {
  try {
    return { ok: true, value: await write };
  } catch (error) {
    if (error instanceof GitHubCallFailed && error.failure.cause === "refused") {
      return { ok: false, message: error.failure.message };
    }
    throw error;
  }
}
