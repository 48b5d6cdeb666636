import { type Environment, environmentSubject } from "../../../domain/deployments.ts";
import type { ProductionFeedback, Suspicion } from "../../../domain/production-feedback.ts";
import type { EnvironmentSubject, RepositoryRef } from "../../../domain/subjects.ts";
import { readFeedback } from "../../../store/feedback.ts";
import { handleInput, type InputDependencies } from "../../runs/handle-input.ts";
import { type News, newsOf } from "./news-of.ts";
import type { suspect } from "./suspect.ts";
import { versionsMet } from "./versions-met.ts";

export interface FeedbackDependencies extends InputDependencies {
  /** Which change may have caused it; undefined where nothing says so. */
  readonly suspect: (
    environment: EnvironmentSubject,
    told: Parameters<typeof suspect>[2],
  ) => Promise<Suspicion | undefined>;
}

/**
 * Takes what production told of an environment: one decision and one transaction, however much it is (PROD-3). Safe to repeat: nothing is
 * counted twice, and a count is written with what follows from it.
 */
export async function receiveFeedback(
  dependencies: FeedbackDependencies,
  repository: RepositoryRef,
  environment: Environment,
  messages: readonly ProductionFeedback[],
): Promise<void> {
  const { now, makeId } = dependencies;
  const subject = environmentSubject(repository, environment);
  const at = now();
  const suspicions = await suspicionsOf(dependencies, subject, messages, at);
  await handleInput(dependencies, {
    ...{ type: "feedback.received", subject, at, newRunId: makeId() },
    ...{ messages, suspicions },
  });
}

/** Looks for a cause of what gets an issue of its own: the others are too many to look at each. */
async function suspicionsOf(
  dependencies: FeedbackDependencies,
  subject: EnvironmentSubject,
  messages: readonly ProductionFeedback[],
  at: string,
): Promise<Map<string, Suspicion>> {
  const { store } = dependencies;
  const { news } = newsOf(await readFeedback(store, subject, messages, at), subject, messages, at);
  // What is caused for sure is looked for again only when it is back.
  const isFound = ({ known }: News) => known?.shown?.suspicion?.is === "caused" && !known.toldResolved;
  const looked = news.filter((one) => one.in === "own" && !one.standing.resolved && !isFound(one));
  const found = new Map<string, Suspicion>();
  if (looked.length === 0) return found;
  const versions = await versionsMet(store, subject);
  for (const { standing } of looked) {
    const { feedback, firstAt } = standing;
    const suspicion = await dependencies.suspect(subject, { feedback, firstAt, versions });
    if (suspicion) found.set(feedback.fingerprint, suspicion);
  }
  return found;
}
