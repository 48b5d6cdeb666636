import { type Environment, environmentSubject } from "../../../domain/deployments.ts";
import type { ProductionFeedback, Suspicion } from "../../../domain/production-feedback.ts";
import type { RepositoryRef, Subject } from "../../../domain/subjects.ts";
import { countFeedback, listUntold, markTold } from "../../../store/feedback.ts";
import { handleInput, type InputDependencies } from "../../runs/handle-input.ts";

export interface FeedbackDependencies extends InputDependencies {
  /** Which change may have caused it; undefined where nothing says so. */
  readonly suspect: (
    environment: Subject,
    feedback: ProductionFeedback,
    firstAt: string,
  ) => Promise<Suspicion | undefined>;
}

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
  const untold = await listUntold(store, subject, [...latest.keys()]);
  for (const { fingerprint, count, firstAt, lastAt, resolved } of untold) {
    const feedback = latest.get(fingerprint);
    if (feedback === undefined) continue;
    const suspicion = resolved ? undefined : await dependencies.suspect(subject, feedback, firstAt);
    const standing = {
      environment,
      feedback,
      times: count,
      firstAt,
      lastAt,
      resolved,
      ...(suspicion ? { suspicion } : {}),
    };
    await handleInput(dependencies, { type: "feedback.received", subject, at: now(), newRunId: makeId(), standing });
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
