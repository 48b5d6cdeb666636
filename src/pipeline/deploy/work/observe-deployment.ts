import { isMigration } from "../../../analysis/risk/gather-risk-facts.ts";
import type { Coverage, Requirement } from "../../../domain/coverage.ts";
import { defined } from "../../../domain/defined.ts";
import {
  type DeployFacts,
  type EnvironmentSettings,
  type environmentOf,
  isByItself,
} from "../../../domain/deployments.ts";
import type { DeployObserved } from "../../../domain/inputs.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import { BUILT_IN_METRICS } from "../../../domain/samples.ts";
import type { RepositoryRef } from "../../../domain/subjects.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import type { Deployment } from "../deployment.ts";
import { readEnvironmentLog } from "../environment-log.ts";
import type { EnvironmentFacts } from "../evolve.ts";
import { type Brought, readCoverage } from "../record/read-coverage.ts";
import { readLetThrough } from "../rule/let-through.ts";
import type { DeployDependencies, DeployJob } from "./deploy-job.ts";
import { levelOfVersion } from "./level-now.ts";
import type { VersionRange } from "./ports.ts";

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
  if (!(await dependencies.deployHost.mayDeploy(repository, settings.way))) return { refusal: "not_accepted" };
  const { running } = await readEnvironment(dependencies, subject);
  if (running && deploy.from !== undefined) return { refusal: "known_beginning" };
  const from = running
    ? ({ sha: running.sha, by: "record" } as const)
    : await beginningOf(dependencies, { subject, deploy }, settings, signal);
  const version = { sha: deploy.sha, branch, from, requires: settings.requires, isBack: deploy.cause === "rollback" };
  const compared = await compareVersion(dependencies, repository, version, signal);
  if (!compared) return { refusal: "gone" };
  if (deploy.from !== undefined && compared.since.is !== "ahead") return { refusal: "no_such_beginning" };
  const facts = await factsOf(dependencies, repository, { ...version, ...compared }, signal);
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

/** Where Forge has no record: what the person says who asked for it, else the last run of the workflow that it can verify (DEP-4). */
async function beginningOf(
  { store, deployHost }: DeployDependencies,
  { subject, deploy }: Pick<Deployment, "subject" | "deploy">,
  settings: EnvironmentSettings,
  signal: AbortSignal,
): Promise<Coverage["from"]> {
  const { from, by, environment } = deploy;
  if (from !== undefined) return { sha: from, by: "person", who: by.login };
  const { workflow: path } = settings;
  if (path === undefined) return undefined;
  const name = nameOnGitHub(settings, environment);
  const known = { path, ...defined({ letThrough: await readLetThrough(store, subject, name) }) };
  const sha = await deployHost.readLastDeployed(subject.repository, name, known, signal);
  return sha === undefined ? undefined : { sha, by: "verified" };
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

/** What is watched, for people: what every service has, the operator's queries that the repository names, and the health endpoint. */
function watchedNames(
  { metrics, saturation, health }: ReturnType<DeployDependencies["watchedBy"]>,
  { judge }: EnvironmentSettings,
): string[] {
  const builtIn = BUILT_IN_METRICS.filter((name) => name !== "saturation" || saturation);
  return [...(metrics ? [...builtIn, ...judge.queries] : []), ...(health ? ["health"] : [])];
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
  readonly from: Coverage["from"];
  readonly requires: readonly Requirement[];
  /** A person goes back on purpose. */
  readonly isBack?: boolean;
}

const NOTHING_NEW: Partial<Brought> & Pick<Brought, "changes" | "direct"> = { changes: [], direct: 0 };

/** How a version stands to the branch, and to what runs. */
interface Compared {
  readonly onBranch: Pick<VersionRange, "is">;
  readonly since: Pick<VersionRange, "is" | "files">;
}

/** Undefined where one of the commits is not there. */
export async function compareVersion(
  { deployHost }: Pick<DeployDependencies, "deployHost">,
  repository: RepositoryRef,
  { sha, branch, from }: Pick<Version, "sha" | "branch" | "from">,
  signal: AbortSignal,
): Promise<Compared | undefined> {
  const [onBranch, since] = await Promise.all([
    deployHost.compare(repository, sha, branch.sha, signal),
    from ? deployHost.compare(repository, from.sha, sha, signal) : ({ is: "ahead", files: [] } as const),
  ]);
  return onBranch && since && { onBranch, since };
}

/** What a version brings, with what the record shows of it. */
export async function factsOf(
  dependencies: DeployDependencies,
  repository: RepositoryRef,
  { sha, branch, from, requires, isBack = false, onBranch, since }: Version & Compared,
  signal: AbortSignal,
): Promise<DeployFacts> {
  // A version that is not on the branch does not tell which of the branch's commits are new.
  const isBeside = from?.by === "verified" && since.is === "diverged";
  const range = { repository, branch: branch.ref, sha, from: isBeside ? undefined : from, requires };
  // Going back is never held up by what cannot be read: it was let through when it was deployed.
  const { coverage, changes, direct } = isBack ? NOTHING_NEW : await readCoverage(dependencies, range, signal);
  const shown = changes.slice(0, CHANGES);
  return {
    ...{ sha, ref: branch.ref, changes: shown, direct },
    migrations: since.files.filter(isMigration).slice(0, 20),
    merged: onBranch.is === "ahead" || onBranch.is === "same",
    older: from !== undefined && since.is === "behind",
    more: (coverage?.beyond ?? 0) + (changes.length - shown.length),
    ...defined({ previous: from?.sha, risk: coverage?.risk, coverage }),
  };
}
