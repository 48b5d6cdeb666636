import { GitHubCallFailed } from "../classify-failure.ts";
import type { EffectPorts, Writes } from "./effect-ports.ts";
import { pushOrSay } from "./push-commits.ts";

type Meter = Pick<EffectPorts, "budget" | "sending">;

/** GitHub counts as content what people are told of. */
const CONTENT = { content: true } as const;
const NO_CONTENT = { content: false } as const;

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
  return {
    createCheckRun: (...given) => send(NO_CONTENT, () => to.createCheckRun(...given)),
    updateCheckRun: (...given) => send(NO_CONTENT, () => to.updateCheckRun(...given)),
    createReview: (...given) => send(CONTENT, () => to.createReview(...given)),
    dismissReview: (...given) => send(CONTENT, () => to.dismissReview(...given)),
    deletePendingReview: (...given) => send(NO_CONTENT, () => to.deletePendingReview(...given)),
    createFileComment: (...given) => send(CONTENT, () => to.createFileComment(...given)),
    replyInThread: (...given) => send(CONTENT, () => to.replyInThread(...given)),
    createComment: (...given) => send(CONTENT, () => to.createComment(...given)),
    updateComment: (...given) => send(CONTENT, () => to.updateComment(...given)),
    react: (...given) => send(CONTENT, () => to.react(...given)),
    setThreadResolved: (...given) => send(NO_CONTENT, () => to.setThreadResolved(...given)),
    updateIssue: (...given) => send(CONTENT, () => to.updateIssue(...given)),
    createPull: (...given) => send(CONTENT, () => to.createPull(...given)),
    updatePull: (...given) => send(CONTENT, () => to.updatePull(...given)),
    markPullReady: (...given) => send(NO_CONTENT, () => to.markPullReady(...given)),
    mergePull: (...given) => send(NO_CONTENT, () => to.mergePull(...given)),
    enqueuePull: (...given) => send(NO_CONTENT, () => to.enqueuePull(...given)),
    createDeployment: (...given) => send(NO_CONTENT, () => to.createDeployment(...given)),
    createDeploymentStatus: (...given) => send(NO_CONTENT, () => to.createDeploymentStatus(...given)),
    dispatchWorkflow: (...given) => send(NO_CONTENT, () => to.dispatchWorkflow(...given)),
    revertPull: (...given) => send(CONTENT, () => to.revertPull(...given)),
    createBackBranch: (...given) => send(NO_CONTENT, () => to.createBackBranch(...given)),
    createIssue: (...given) => send(CONTENT, () => to.createIssue(...given)),
    answerRule: (...given) => send(CONTENT, () => to.answerRule(...given)),
    pushBranch: (request) => send(NO_CONTENT, () => pushOrSay(to.pushBranch, request)),
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
