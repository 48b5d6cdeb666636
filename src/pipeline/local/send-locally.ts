import type { EffectResult, HostEffect } from "../../domain/effects.ts";
import { errorFacts, ForgeError } from "../../domain/errors.ts";
import { numberOf } from "../../domain/subjects.ts";
import type { StoredEffect } from "../../store/effects/read-effects.ts";
import { readWorkTree } from "../../store/runs/put-work-tree.ts";
import type { Store } from "../../store/store.ts";
import type { Checkout } from "../../workspace/local/checkout.ts";
import { pushToCheckout } from "../../workspace/local/local-branch.ts";
import type { EffectOutcome, SendEffect } from "../runs/effects/write-port.ts";

export interface LocalEffects {
  readonly store: Store;
  readonly checkout: Checkout;
}

/**
 * Where effects are written without GitHub: commits go into the checkout, and what is for people to read is left to the events. Nothing is
 * looked for before it: the branch has the answer.
 */
export function createLocalSender(dependencies: LocalEffects): SendEffect {
  return async (effect, context) => {
    await context.sending(true);
    return carryOut(dependencies, effect, context.signal);
  };
}

async function carryOut(
  dependencies: LocalEffects,
  effect: StoredEffect<HostEffect>,
  signal: AbortSignal,
): Promise<EffectOutcome> {
  switch (effect.kind) {
    case "branch.push":
      return push(dependencies, effect, signal);
    case "pull.open":
      // The branch is the pull request; like on GitHub, the draft is opened once there is something on it.
      return done({ pullNumber: numberOf(effect.subject) });
    case "check.open":
    case "check.start":
    case "check.complete":
    case "check.revise":
      return done({ checkRunId: effect.sequence });
    case "review.post":
      return done({ placed: effect.payload.findings.map(({ id }) => ({ findingId: id, placement: "summary" })) });
    case "review.verdict":
    case "comment.react":
    case "comment.reply":
    case "gate.show":
    case "check.wait":
    case "check.park":
    case "check.progress":
    case "thread.resolve":
    case "thread.reopen":
    case "issue.status":
    case "plan.show":
    case "pull.describe":
    case "pull.merge":
    case "merge.show":
    case "pull.ready":
    case "deployment.begin":
    case "deployment.say":
    case "deploy.show":
    case "deploy.check":
    case "revert.open":
    case "feedback.show":
    case "issue.open":
    case "issue.explain":
    case "rule.answer":
      return done({});
    default:
      return effect satisfies never;
  }
}

function done(result: EffectResult): EffectOutcome {
  return { kind: "done", result };
}

async function push(
  { store, checkout }: LocalEffects,
  effect: Extract<StoredEffect, { kind: "branch.push" }>,
  signal: AbortSignal,
): Promise<EffectOutcome> {
  const { branch, headSha, expected } = effect.payload;
  const snapshot = await readWorkTree(store, effect.runId);
  const stands = await pushToCheckout({ checkout, branch, sha: headSha, expected, snapshot, signal });
  switch (stands.outcome) {
    case "pushed":
    case "already":
      return done({});
    case "moved":
      // A branch that stood there before the work began is somebody's: nothing of it is joined.
      if (expected === null) return failed(effect, `a branch ${branch} is there already and is not of this run`);
      return done({ movedTo: stands.sha });
    case "refused":
      return failed(effect, stands.reason);
  }
}

function failed(effect: Extract<StoredEffect, { kind: "branch.push" }>, why: string): EffectOutcome {
  const { branch } = effect.payload;
  const message = `The branch ${branch} could not be written: ${why}.`;
  const options = { source: "resource", severity: "high", recoverability: "manual" } as const;
  return {
    kind: "failed",
    error: errorFacts(new ForgeError("branch_not_written", message, { ...options, context: { branch } })),
  };
}
