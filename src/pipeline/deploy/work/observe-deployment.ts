import { isMigration } from "../../../analysis/risk/gather-risk-facts.ts";
import { defined } from "../../../domain/defined.ts";
import {
  type DeployFacts,
  type EnvironmentSettings,
  type environmentOf,
  higherRisk,
  isByItself,
} from "../../../domain/deployments.ts";
import type { DeployObserved } from "../../../domain/inputs.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { RiskLevel } from "../../../domain/risk.ts";
import { BUILT_IN_METRICS } from "../../../domain/samples.ts";
import type { RepositoryRef } from "../../../domain/subjects.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import type { Deployment } from "../deployment.ts";
import { readEnvironmentLog } from "../environment-log.ts";
import type { EnvironmentFacts } from "../evolve.ts";
import type { DeployDependencies, DeployJob } from "./deploy-job.ts";
import { levelOfVersion } from "./level-now.ts";
import { readChange } from "./read-change.ts";

/** Pull requests that a gate names at most. */
const CHANGES = 30;

/**
 * Looks at what is to be deployed: the settings of the default branch, and what the version brings over the one that runs there, with what the
 * record shows of each change.
 */
export async function observeDeployment(
  dependencies: DeployDependencies,
  { signal }: Pick<DeployJob, "signal">,
  { subject, deploy }: Deployment,
): Promise<DeployObserved["seen"]> {
  const { repository } = subject;
  const { value: configuration } = await loadConfiguration(dependencies, repository, signal);
  const settings = settingsOf(configuration, deploy.environment);
  const branch = await dependencies.host.readBranchHead(repository, undefined, signal);
  if (!branch) return { refusal: "gone" };
  if (!settings) return { refusal: "not_configured" };
  const { running } = await readEnvironment(dependencies, subject);
  const facts = await factsOf(dependencies, repository, { sha: deploy.sha, branch, previous: running?.sha }, signal);
  if (!facts) return { refusal: "gone" };
  const level = isByItself(deploy) ? await levelOfVersion(dependencies, repository, facts, signal) : undefined;
  return {
    ...defined({ level }),
    ...{ settings, facts, gates: configuration.gates, separate: configuration.safety.separation_of_duties },
    environment: nameOnGitHub(settings, deploy.environment),
    watched: watchedNames(dependencies.watchedBy(repository, deploy.environment), settings),
    onward:
      deploy.environment === "staging" && deploy.cause === "merge" && configuration.deploy.after_merge === "production",
  };
}

/** What GitHub calls an environment. */
export function nameOnGitHub(
  { github_environment: name }: Pick<EnvironmentSettings, "github_environment">,
  environment: string,
): string {
  return name ?? environment;
}

export function settingsOf(
  { deploy }: Pick<RepoConfig, "deploy">,
  environment: ReturnType<typeof environmentOf>,
): EnvironmentSettings | undefined {
  if (environment === "staging") return deploy.staging;
  return deploy.production && { ...deploy.production, approval: true };
}

/** What is watched, for people: what every service has, the queries of the repository, and the health endpoint. */
function watchedNames(
  { metrics, saturation, health }: ReturnType<DeployDependencies["watchedBy"]>,
  { judge }: EnvironmentSettings,
): string[] {
  const builtIn = BUILT_IN_METRICS.filter((name) => name !== "saturation" || saturation);
  return [...(metrics ? [...builtIn, ...judge.queries.map(({ name }) => name)] : []), ...(health ? ["health"] : [])];
}

/** What is of an environment and of no run. */
export async function readEnvironment(
  { store }: Pick<DeployDependencies, "store">,
  subject: Deployment["subject"],
): Promise<EnvironmentFacts> {
  return (await readEnvironmentLog(store, subject)).environment;
}

interface Version {
  readonly sha: string;
  readonly branch: { readonly ref: string; readonly sha: string };
  readonly previous: string | undefined;
}

/** Undefined where one of the commits is not there. */
export async function factsOf(
  dependencies: DeployDependencies,
  repository: RepositoryRef,
  { sha, branch, previous }: Version,
  signal: AbortSignal,
): Promise<DeployFacts | undefined> {
  const { deployHost } = dependencies;
  const [onBranch, range] = await Promise.all([
    deployHost.readRange(repository, sha, branch.sha, signal),
    deployHost.readRange(repository, previous, sha, signal),
  ]);
  if (!onBranch || !range) return undefined;
  const named = range.pulls.slice(0, CHANGES);
  const changes = await Promise.all(named.map((pull) => readChange(dependencies, repository, pull)));
  const risks = changes.map(({ risk }) => risk);
  const risk = risks.some((one) => one === undefined)
    ? undefined
    : risks.reduce<RiskLevel | undefined>(higherRisk, undefined);
  return {
    ...{
      sha,
      ref: branch.ref,
      changes,
      direct: range.direct,
      migrations: range.files.filter(isMigration).slice(0, 20),
    },
    merged: onBranch.is === "ahead" || onBranch.is === "same",
    older: previous !== undefined && range.is === "behind",
    more: range.more + (range.pulls.length - named.length),
    // Nobody looked at what was pushed directly.
    ...defined({ previous, risk: range.direct > 0 ? higherRisk(risk, "high") : risk }),
  };
}
