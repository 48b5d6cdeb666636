import type { EffectKind, HostEffect } from "../../domain/effects.ts";
import { errorFacts, ForgeError } from "../../domain/errors.ts";
import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import { GitHubCallFailed, type GitHubFailure } from "../classify-failure.ts";
import { explainIssue, openIssue, openRevert } from "./after-rollback.ts";
import { answerRule } from "./answer-rule.ts";
import { beginDeployment, sayDeployment } from "./begin-deployment.ts";
import { completeCheck } from "./complete-check.ts";
import { type EffectHandler, type EffectPorts, type PendingEffect, WriteBudgetSpent } from "./effect-ports.ts";
import { showDeployment, showGate, showMerging, showPlan, showStatus } from "./kept-comments.ts";
import { meterWrites } from "./metered-writes.ts";
import {
  openCheck,
  parkCheck,
  progressCheck,
  reviseCheck,
  showDeployCheck,
  startCheck,
  waitCheck,
} from "./moving-checks.ts";
import { describePull, mergePull, openPull, readyPull } from "./own-pulls.ts";
import { postReview } from "./post-review.ts";
import { showProduction } from "./production-issue.ts";
import { pushCommits } from "./push-commits.ts";
import { react, reopenThread, reply, resolveThread } from "./replies.ts";
import { setVerdict } from "./set-verdict.ts";

const KINDS: { readonly [K in HostEffect["kind"]]: EffectHandler<K> } = {
  "check.open": openCheck,
  "check.start": startCheck,
  "check.wait": waitCheck,
  "check.park": parkCheck,
  "check.progress": progressCheck,
  "check.complete": completeCheck,
  "check.revise": reviseCheck,
  "review.post": postReview,
  "review.verdict": setVerdict,
  "thread.resolve": resolveThread,
  "thread.reopen": reopenThread,
  "comment.react": react,
  "comment.reply": reply,
  "gate.show": showGate,
  "issue.status": showStatus,
  "plan.show": showPlan,
  "branch.push": pushCommits,
  "pull.open": openPull,
  "pull.describe": describePull,
  "pull.ready": readyPull,
  "pull.merge": mergePull,
  "merge.show": showMerging,
  "deployment.begin": beginDeployment,
  "deployment.say": sayDeployment,
  "deploy.show": showDeployment,
  "deploy.check": showDeployCheck,
  "revert.open": openRevert,
  "issue.open": openIssue,
  "issue.explain": explainIssue,
  "feedback.show": showProduction,
  "rule.answer": answerRule,
};

/** GitHub's lists lag behind its writes: an effect is looked up only this long after it was sent. Milliseconds. */
const LIST_LAG_MS = 5_000;
const MAXIMUM_BACKOFF_MS = 15 * 60_000;

/**
 * Makes GitHub match one effect. Safe to repeat after a crash or a lost response: what may have been sent is looked up first, and what is
 * there already is not written again (GH-13). An attempt is counted when something is sent, or when GitHub does not even answer a question;
 * waiting costs none. Throws only for bugs; whatever GitHub answers is an outcome.
 */
export async function applyEffect(effect: PendingEffect, ports: EffectPorts): Promise<EffectOutcome> {
  const wasSent = effect.state === "sending";
  const lookUpAt = wasSent ? Date.parse(effect.sendingSince ?? "") + LIST_LAG_MS : Number.NaN;
  if (lookUpAt > Date.parse(ports.now())) {
    const reason = "it was being sent; GitHub's lists show it after a moment";
    return { kind: "retry", at: new Date(lookUpAt).toISOString(), reason };
  }
  // The compiler does not follow that an effect goes to the handler of its own kind.
  const kind = KINDS[effect.kind] as EffectHandler<HostEffect["kind"]>;
  let counted = false;
  const sending = async (first: boolean) => {
    await ports.sending(first);
    counted = true;
  };
  const write = meterWrites(ports.writes, { budget: ports.budget, sending });
  try {
    if (!wasSent) return await kind.send(effect, undefined, { ...ports, write });
    const found = await kind.find(effect, ports);
    return "settled" in found ? found.settled : await kind.send(effect, found.there, { ...ports, write });
  } catch (error) {
    if (error instanceof WriteBudgetSpent) {
      return { kind: "retry", at: error.at, reason: error.message, forBudget: true };
    }
    if (!(error instanceof GitHubCallFailed)) throw error;
    if (error.failure.cause === "unavailable" && !counted && !ports.signal?.aborted) await ports.unanswered();
    return outcomeOf(error.failure, error, effect, ports);
  }
}

/** Kinds that need what an installation of an earlier Forge was not asked for. */
const DEPLOYS: ReadonlySet<EffectKind> = new Set(["deployment.begin", "deployment.say"]);

function outcomeOf(failure: GitHubFailure, cause: Error, effect: PendingEffect, ports: EffectPorts): EffectOutcome {
  const after = (milliseconds: number) => new Date(Date.parse(ports.now()) + milliseconds).toISOString();
  const growing = (milliseconds: number) => Math.min(milliseconds * 2 ** effect.attempts, MAXIMUM_BACKOFF_MS);
  const context = { effect: effect.key };
  switch (failure.cause) {
    case "rate_limited": {
      const wait = failure.announced ? failure.retryAfterMs : growing(failure.retryAfterMs);
      return { kind: "retry", at: after(wait), reason: failure.message };
    }
    case "unavailable":
      return { kind: "retry", at: after(growing(LIST_LAG_MS)), reason: failure.message };
    case "gone":
      return { kind: "obsolete", reason: failure.message };
    case "forbidden": {
      const message = DEPLOYS.has(effect.kind)
        ? `The installation has not accepted a permission that deploying needs (${effect.kind}): ${failure.message}. An owner accepts it in the settings of the installed App.`
        : `GitHub does not let Forge do this (${effect.kind}): ${failure.message}. Check the App's permissions and that it is not suspended.`;
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
