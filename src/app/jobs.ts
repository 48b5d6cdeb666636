import { errorFacts } from "../domain/errors.ts";
import type { JobKind, JobPayload } from "../domain/jobs.ts";
import { createLabels } from "../github/create-labels.ts";
import { learn } from "../learning/learn.ts";
import { observeMerge } from "../learning/observe-merge.ts";
import { giveUpCommands, runCommands } from "../pipeline/commands/run-commands.ts";
import { explainVerdict } from "../pipeline/deploy/explain/explain-verdict.ts";
import { answerRule, giveUpRule } from "../pipeline/deploy/rule/answer-rule.ts";
import { deployMerged } from "../pipeline/deploy/work/deploy-merged.ts";
import { followOneFault } from "../pipeline/deploy/work/follow-fault.ts";
import { giveUpDeployment, runDeployment } from "../pipeline/deploy/work/run-deployment.ts";
import { giveUpWork, runWork } from "../pipeline/implement/work/run-work.ts";
import { answerAsked, giveUpAsked } from "../pipeline/review/ai/answer-asked.ts";
import { giveUpFixes, makeFixes } from "../pipeline/review/fix/make-fixes.ts";
import { judgeHead } from "../pipeline/review/work/judge-head.ts";
import { giveUpReview, runReview } from "../pipeline/review/work/run-review.ts";
import { giveUpEffect } from "../pipeline/runs/effects/drain-effects.ts";
import { giveUpTests, testHead } from "../pipeline/testing/test-head.ts";
import type { DeadJob, Job, JobContext } from "../queue/ports.ts";
import { readDelivery, settleDelivery } from "../store/inbox/read-delivery.ts";
import type { Dependencies } from "./dependencies.ts";

/** How each kind of job is done. */
export const JOBS: { readonly [K in JobKind]: Job<K, Dependencies> } = {
  delivery: { takes: "moments", run: handleStored, giveUp: giveUpDelivery },
  feedback: { takes: "moments", yields: true, run: handleStored, giveUp: giveUpDelivery },
  command: { takes: "moments", run: runCommands, giveUp: giveUpCommands },
  effects: {
    takes: "moments",
    run: ({ drainEffects }, { subject }, context) => drainEffects(subject, context),
    giveUp: giveUpEffect,
  },
  labels: {
    takes: "moments",
    run: (dependencies, { repository }, { signal }) => createLabels(dependencies, repository, signal),
    // Adding a label creates it, so this failure need not be told.
    giveUp: async () => {},
  },
  review: { takes: "minutes", run: runReview, giveUp: giveUpReview },
  // Missed, somebody says `/forge deploy`.
  merged: { takes: "moments", run: deployMerged, giveUp: async () => {} },
  deploy: { takes: "minutes", run: runDeployment, giveUp: giveUpDeployment },
  // Missed, a person begins the work on the issue, or closes it.
  fault: { takes: "moments", run: followOneFault, giveUp: async () => {} },
  rule: { takes: "moments", run: answerRule, giveUp: giveUpRule },
  // Missed, the verdict stands without a model's words.
  explain: { takes: "minutes", aside: true, run: explainVerdict, giveUp: async () => {} },
  implement: { takes: "minutes", run: runWork, giveUp: giveUpWork },
  ask: { takes: "minutes", run: answerAsked, giveUp: giveUpAsked },
  fix: { takes: "minutes", run: makeFixes, giveUp: giveUpFixes },
  // Missed, it is looked at again at the next review or verdict.
  judge: { takes: "moments", run: judgeHead, giveUp: async () => {} },
  // Missed, it is looked at again at the next review or verdict: nothing is merged before.
  merge: { takes: "moments", run: observeMerge, giveUp: async () => {} },
  // What was missed is looked at again at the next event, or when the pull request ends.
  learn: { takes: "minutes", run: learn, giveUp: async () => {} },
  test: { takes: "minutes", run: testHead, giveUp: giveUpTests },
};

async function handleStored(
  { store, log, handleDelivery, takeMessages }: Dependencies,
  { deliveryId }: JobPayload<"delivery">,
  { fence, signal }: JobContext,
): Promise<void> {
  const delivery = await readDelivery(store, deliveryId);
  if (delivery?.state !== "received") return;
  const isFeedback = delivery.event.startsWith("feedback.");
  const outcome = isFeedback ? await takeMessages(delivery.body, signal) : await handleDelivery(delivery, fence);
  const reason = outcome.state === "ignored" ? outcome.reason : undefined;
  log.debug({ delivery: deliveryId, event: delivery.event, ...outcome }, "delivery handled");
  await settleDelivery(store, deliveryId, outcome.state, reason);
}

/** The author of the event is told that nothing comes of it, before the delivery counts as failed. */
async function giveUpDelivery(
  { store, log, tellOfLost }: Dependencies,
  { deliveryId }: JobPayload<"delivery">,
  dead: DeadJob,
): Promise<void> {
  const delivery = await readDelivery(store, deliveryId);
  if (delivery?.state !== "received") return;
  // Whoever sent it hears of it in the log: it is nobody's comment.
  if (delivery.event.startsWith("feedback.")) {
    log.warn({ delivery: deliveryId, event: delivery.event, error: errorFacts(dead.error) }, "feedback was given up");
    return settleDelivery(store, deliveryId, "failed", errorFacts(dead.error).message);
  }
  const untold = await tellOfLost(delivery, dead);
  if (untold !== undefined)
    log.warn({ delivery: deliveryId, event: delivery.event, untold }, "nobody is told of a lost delivery");
  await settleDelivery(store, deliveryId, "failed", errorFacts(dead.error).message);
}
