import { errorFacts, ForgeError } from "../../domain/errors.ts";
import type { GitHubFailure } from "../classify-failure.ts";
import { GitHubCallFailed } from "../github-call-failed.ts";
import { completeCheck } from "./complete-check.ts";
import { describePull } from "./describe-pull.ts";
import { type EffectOutcome, type EffectPorts, type PendingEffect, WriteBudgetSpent } from "./effect-ports.ts";
import { openCheck } from "./open-check.ts";
import { openPull } from "./open-pull.ts";
import { parkCheck } from "./park-check.ts";
import { postReview } from "./post-review.ts";
import { pushCommits } from "./push-commits.ts";
import { react } from "./react.ts";
import { readyPull } from "./ready-pull.ts";
import { reopenThread } from "./reopen-thread.ts";
import { reply } from "./reply.ts";
import { resolveThread } from "./resolve-thread.ts";
import { reviseCheck } from "./revise-check.ts";
import { showGate } from "./show-gate.ts";
import { showPlan } from "./show-plan.ts";
import { showStatus } from "./show-status.ts";
import { startCheck } from "./start-check.ts";
import { waitCheck } from "./wait-check.ts";

/** GitHub's lists lag behind its writes: an effect is looked up only this long after it was sent. Milliseconds. */
const LIST_LAG_MS = 5_000;
const MAXIMUM_BACKOFF_MS = 15 * 60_000;

/**
 * Makes GitHub match one effect. Safe to repeat after a crash or a lost response: what is there already is not written again (GH-13).
 * Throws only for bugs; whatever GitHub answers is an outcome.
 */
export async function applyEffect(effect: PendingEffect, ports: EffectPorts): Promise<EffectOutcome> {
  const lookUpAt = effect.state === "sending" ? Date.parse(effect.sendingSince ?? "") + LIST_LAG_MS : Number.NaN;
  if (lookUpAt > Date.parse(ports.now())) {
    const reason = "it was being sent; GitHub's lists show it after a moment";
    return { kind: "retry", at: new Date(lookUpAt).toISOString(), reason, countsAsAttempt: false };
  }
  await ports.begin();
  try {
    return await applyKind(effect, ports);
  } catch (error) {
    if (error instanceof WriteBudgetSpent) {
      return { kind: "retry", at: error.at, reason: error.message, countsAsAttempt: false, forBudget: true };
    }
    if (error instanceof GitHubCallFailed) return outcomeOf(error.failure, error, effect, ports);
    throw error;
  }
}

function applyKind(effect: PendingEffect, ports: EffectPorts): Promise<EffectOutcome> {
  switch (effect.kind) {
    case "check.open":
      return openCheck(effect, ports);
    case "check.start":
      return startCheck(effect, ports);
    case "check.complete":
      return completeCheck(effect, ports);
    case "check.revise":
      return reviseCheck(effect, ports);
    case "review.post":
      return postReview(effect, ports);
    case "comment.react":
      return react(effect, ports);
    case "comment.reply":
      return reply(effect, ports);
    case "gate.show":
      return showGate(effect, ports);
    case "check.wait":
      return waitCheck(effect, ports);
    case "check.park":
      return parkCheck(effect, ports);
    case "thread.resolve":
      return resolveThread(effect, ports);
    case "thread.reopen":
      return reopenThread(effect, ports);
    case "issue.status":
      return showStatus(effect, ports);
    case "plan.show":
      return showPlan(effect, ports);
    case "branch.push":
      return pushCommits(effect, ports);
    case "pull.open":
      return openPull(effect, ports);
    case "pull.describe":
      return describePull(effect, ports);
    case "pull.ready":
      return readyPull(effect, ports);
  }
}

function outcomeOf(failure: GitHubFailure, cause: Error, effect: PendingEffect, ports: EffectPorts): EffectOutcome {
  const after = (milliseconds: number) => new Date(Date.parse(ports.now()) + milliseconds).toISOString();
  const growing = (milliseconds: number) => Math.min(milliseconds * 2 ** effect.attempts, MAXIMUM_BACKOFF_MS);
  const context = { effect: effect.key };
  switch (failure.cause) {
    case "rate_limited": {
      const wait = failure.announced ? failure.retryAfterMs : growing(failure.retryAfterMs);
      return { kind: "retry", at: after(wait), reason: failure.message, countsAsAttempt: false };
    }
    case "unavailable": {
      const countsAsAttempt = !ports.signal?.aborted;
      return { kind: "retry", at: after(growing(LIST_LAG_MS)), reason: failure.message, countsAsAttempt };
    }
    case "gone":
      return { kind: "obsolete", reason: failure.message };
    case "forbidden": {
      const message = `GitHub does not let Forge do this (${effect.kind}): ${failure.message}. Check the App's permissions and that it is not suspended.`;
      const options = { source: "permission", severity: "high", recoverability: "manual", context, cause } as const;
      return { kind: "failed", error: errorFacts(new ForgeError("github_forbidden", message, options)) };
    }
    case "refused": {
      const message = `GitHub refused ${effect.kind}: ${failure.message}`;
      const options = { source: "validation", severity: "medium", recoverability: "none", context, cause } as const;
      return { kind: "failed", error: errorFacts(new ForgeError("github_refused", message, options)) };
    }
  }
}
