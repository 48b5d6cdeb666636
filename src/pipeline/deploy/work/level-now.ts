import { defined } from "../../../domain/defined.ts";
import { type DeployedChange, type DeployFacts, firstEnvironment } from "../../../domain/deployments.ts";
import { FIRST_LEVEL, PLANNED, type StandingLevel, type TaskKind, UNSAID_LEVEL } from "../../../domain/ladder.ts";
import type { RepositoryRef, Subject } from "../../../domain/subjects.ts";
import { levelFor } from "../../../safety/ladder.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { readReviews } from "../../../store/runs/read-runs.ts";
import { readRepositoryFacts } from "../../../store/runs/repository-facts.ts";
import type { Store } from "../../../store/store.ts";
import { type ConfigurationDependencies, loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import type { Deployment } from "../deployment.ts";

/** The present level of a repository, capped by its configuration (SAFE-4). */
export async function readLevel(
  dependencies: ConfigurationDependencies,
  repository: RepositoryRef,
  signal: AbortSignal,
): Promise<{ readonly level: number; readonly standing: StandingLevel; readonly cap?: number }> {
  const { level: standing = UNSAID_LEVEL } = await readRepositoryFacts(dependencies.store, repository.id);
  const { value } = await loadConfiguration(dependencies, repository, signal);
  const cap = value.safety.automation_level;
  return { level: Math.min(standing.level, cap ?? standing.level), standing, ...defined({ cap }) };
}

/**
 * The level that counts for a version: that of the repository, and of each change in it that of its kind of task, since a record of fixes says
 * nothing about features. What came by no pull request, or was not looked at, has no record.
 */
export async function levelOfVersion(
  dependencies: ConfigurationDependencies,
  repository: RepositoryRef,
  { changes, direct, more }: Pick<DeployFacts, "changes" | "direct" | "more">,
  signal: AbortSignal,
): Promise<number> {
  const { level, standing, cap } = await readLevel(dependencies, repository, signal);
  // Nothing that a version brings lowers these.
  if (level <= FIRST_LEVEL) return level;
  if (direct > 0 || more > 0) return FIRST_LEVEL;
  const levels = changes.map(async (change) => {
    const task = await taskOf(dependencies.store, repository, change);
    return levelFor(task, standing, cap, change.implements ? "work" : "review");
  });
  return Math.min(level, ...(await Promise.all(levels)));
}

/** The level of the version of a deployment now. Where the configuration no longer wants it, people are asked. */
export async function levelAfterWait(
  dependencies: ConfigurationDependencies,
  { subject, deploy, observed }: Pick<Deployment, "subject" | "deploy" | "observed">,
  signal: AbortSignal,
): Promise<number> {
  const { repository } = subject;
  const { value } = await loadConfiguration(dependencies, repository, signal);
  const level = observed ? await levelOfVersion(dependencies, repository, observed.facts, signal) : FIRST_LEVEL;
  return firstEnvironment(value) === deploy.environment ? level : Math.min(level, FIRST_LEVEL);
}

/** Which kind of task a change is: by Forge's own plan, or as its last review says. */
async function taskOf(
  store: Store,
  repository: RepositoryRef,
  change: Pick<DeployedChange, "number" | "implements">,
): Promise<TaskKind> {
  if (change.implements) {
    const events = await readEvents(store, change.implements.runId);
    const plan = events.findLast((event) => event.type === "plan.proposed");
    return plan?.type === "plan.proposed" ? PLANNED[plan.payload.plan.kind] : "feature";
  }
  const subject: Subject = { kind: "pull_request", repository, number: change.number };
  const [latest] = await readReviews(store, subject);
  return latest?.completed.task ?? "feature";
}
