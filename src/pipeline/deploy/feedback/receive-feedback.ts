import { type Environment, environmentSubject } from "../../../domain/deployments.ts";
import type { ProductionFeedback, Suspicion } from "../../../domain/production-feedback.ts";
import type { RepositoryRef, Subject } from "../../../domain/subjects.ts";
import { countFeedback, countHeard, listUntold, markTold } from "../../../store/feedback.ts";
import { handleInput, type InputDependencies } from "../../runs/handle-input.ts";
import type { suspect } from "./suspect.ts";
import { type MetVersion, versionsMet } from "./versions-met.ts";

export interface FeedbackDependencies extends InputDependencies {
  /** Which change may have caused it; undefined where nothing says so. */
  readonly suspect: (environment: Subject, told: Parameters<typeof suspect>[2]) => Promise<Suspicion | undefined>;
}

const DAY_MS = 86_400_000;

/**
 * Takes what production told of an environment: counts it in one transaction, however much it is, and tells the pipeline what it does not
 * know. Safe to repeat: nothing is counted twice, and what the pipeline was not told before a crash it is told then.
 */
export async function receiveFeedback(
  dependencies: FeedbackDependencies,
  repository: RepositoryRef,
  environment: Environment,
  told: readonly ProductionFeedback[],
): Promise<void> {
  const { store, now, makeId } = dependencies;
  const subject = environmentSubject(repository, environment);
  await countFeedback(store, subject, told, now());
  const latest = joined(told);
  // However much is told at once, the versions are looked up once.
  let versions: Promise<readonly MetVersion[]> | undefined;
  const untold = await listUntold(store, subject, [...latest.keys()]);
  const dayAgo = new Date(Date.parse(now()) - DAY_MS).toISOString();
  const heard = untold.length > 0 ? await countHeard(store, subject, dayAgo) : 0;
  for (const { fingerprint, count, firstAt, lastAt, resolved } of untold) {
    const feedback = latest.get(fingerprint);
    if (feedback === undefined) continue;
    if (!resolved) versions ??= versionsMet(store, subject);
    const met = await versions;
    const suspicion =
      resolved || !met ? undefined : await dependencies.suspect(subject, { feedback, firstAt, versions: met });
    const standing = {
      environment,
      feedback,
      times: count,
      firstAt,
      lastAt,
      resolved,
      ...(suspicion ? { suspicion } : {}),
    };
    await handleInput(dependencies, {
      type: "feedback.received",
      subject,
      at: now(),
      newRunId: makeId(),
      standing,
      heard,
    });
  }
  if (untold.length > 0) await markTold(store, subject, untold);
}

/** What is known of each thing from several messages: one has the stack, another the counts. */
function joined(told: readonly ProductionFeedback[]): Map<string, ProductionFeedback> {
  const latest = new Map<string, ProductionFeedback>();
  for (const feedback of told) {
    const before = latest.get(feedback.fingerprint);
    const frames =
      before?.is === "error" && feedback.is === "error" && feedback.frames.length === 0 ? before.frames : undefined;
    latest.set(feedback.fingerprint, { ...before, ...feedback, ...(frames ? { frames } : {}) } as ProductionFeedback);
  }
  return latest;
}
