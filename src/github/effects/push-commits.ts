import { defined } from "../../domain/defined.ts";
import { errorFacts, ForgeError } from "../../domain/errors.ts";
import { GitHubCallFailed } from "../classify-failure.ts";
import { pushRefusal } from "../words/work/push-refusal.ts";
import {
  type EffectHandler,
  nothingToFind,
  type PushBranch,
  type PushOutcome,
  type PushRequest,
} from "./effect-ports.ts";

/**
 * Puts the commits of a run on its branch. A branch that somebody else moved is left as it is, which is a result like any other; a push that
 * GitHub refuses fails with what somebody has to do about it.
 */
export const pushCommits: EffectHandler<"branch.push", undefined> = {
  // The push itself looks what stands on the branch.
  find: nothingToFind,
  send: async (effect, _, { write, wording, signal }) => {
    const { subject, runId, payload } = effect;
    const request = { subject, runId, ...payload, ...defined({ signal }) };
    const outcome = await write.pushBranch(request);
    switch (outcome.is) {
      case "pushed":
      case "already":
        return { kind: "done", result: {} };
      case "moved":
        return { kind: "done", result: { movedTo: outcome.to } };
      case "impossible":
        return { kind: "failed", error: outcome.error };
      case "unavailable":
        throw new GitHubCallFailed({ cause: "unavailable", message: outcome.reason });
      case "refused": {
        const { code, message } = pushRefusal(payload, outcome.reason, wording);
        const context = { effect: effect.key, branch: payload.branch };
        const options = { source: "permission", severity: "high", recoverability: "manual", context } as const;
        return { kind: "failed", error: errorFacts(new ForgeError(code, message, options)) };
      }
    }
  },
};

/** A known failure on the way to GitHub is an outcome too: trying again helps, or the run has to be told. */
export async function pushOrSay(pushBranch: PushBranch, request: PushRequest): Promise<PushOutcome> {
  try {
    return await pushBranch(request);
  } catch (thrown) {
    if (request.signal?.aborted) return { is: "unavailable", reason: "the process stops" };
    if (!(thrown instanceof ForgeError)) throw thrown;
    if (thrown.recoverability === "auto") return { is: "unavailable", reason: thrown.message };
    return { is: "impossible", error: errorFacts(thrown) };
  }
}
