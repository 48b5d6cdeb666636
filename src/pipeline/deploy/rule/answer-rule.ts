import { REQUIREMENTS } from "../../../domain/coverage.ts";
import { ENVIRONMENTS, type Environment, environmentSubject } from "../../../domain/deployments.ts";
import { RetryLater } from "../../../domain/errors.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { RuleLook, RuleRequest } from "../../../domain/protection.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { RepositoryRef, Subject } from "../../../domain/subjects.ts";
import type { DeadJob, JobContext } from "../../../queue/ports.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { findActiveRun } from "../../../store/runs/read-runs.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { handleInput, type InputDependencies, submit } from "../../runs/handle-input.ts";
import { currentStep } from "../deployment.ts";
import { replayDeployment } from "../evolve.ts";
import type { DeployDependencies } from "../work/deploy-job.ts";
import { factsOf, nameOnGitHub, readEnvironment } from "../work/observe-deployment.ts";
import { answerTo } from "./answer-to.ts";

/** The run of a workflow that asks, as GitHub tells it. */
export interface AskingRun {
  readonly sha: string;
  readonly path: string;
  /** It is of this repository, and of no fork of it. */
  readonly isOurs: boolean;
}

/** What the rule of an environment asks the git host. All of it throws RetryLater `github_unavailable` when there is no answer now. */
export interface RuleHost {
  /** Undefined where nothing of that run waits for the environment any more. */
  readAskingRun(repository: RepositoryRef, asked: RuleRequest, signal: AbortSignal): Promise<AskingRun | undefined>;
  /** The commit that was deployed there last with success; undefined where there is none. */
  readLastDeployed(repository: RepositoryRef, environment: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface RuleDependencies extends DeployDependencies {
  readonly ruleHost: RuleHost;
}

/** Environments that are none of Forge's own share a log. */
const OTHERS = ENVIRONMENTS.length + 1;

/** How long until Forge looks again: soon where its own deployment is about to begin, else now and then. */
const SOON_MS = 15_000;
const LATER_MS = 5 * 60_000;

/**
 * Answers for the rule of an environment, or reports why not yet and looks again later, for as long as jobs wait (GitHub fails them after
 * 30 days).
 * @throws RetryLater `rule_waits`
 */
export async function answerRule(
  dependencies: RuleDependencies,
  { repository, asked }: JobPayload<"rule">,
  { signal, fence }: JobContext,
): Promise<void> {
  const run = await dependencies.ruleHost.readAskingRun(repository, asked, signal);
  if (!run) return;
  const { value: configuration } = await loadConfiguration(dependencies, repository, signal);
  const own = ownEnvironment(configuration, asked.environment);
  const subject = own ? environmentSubject(repository, own) : othersOf(repository);
  const look =
    unfit(asked, run, own !== undefined) ??
    (own
      ? await lookAtOwn(dependencies, configuration, own, { subject, asked, run })
      : await lookAtOthers(dependencies, repository, asked, signal));
  await submit(dependencies, { subject, fence }, { type: "rule.observed", asked, look });
  if (answerTo(look).is !== "waits") return;
  const afterMs = own ? SOON_MS : LATER_MS;
  throw new RetryLater("rule_waits", "Forge looks again whether jobs may deploy.", { source: "logic", afterMs });
}

/** The queue has given it up: nothing is let through because Forge failed. */
export async function giveUpRule(
  { store, makeId, now }: InputDependencies,
  { repository, asked }: JobPayload<"rule">,
  _dead: DeadJob,
): Promise<void> {
  const input = { type: "rule.observed", subject: othersOf(repository), asked, look: { of: "nothing" } } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() });
}

function othersOf(repository: RepositoryRef): Subject {
  return { kind: "environment", repository, number: OTHERS };
}

/** Which of the environments that Forge deploys to has this name on GitHub. */
function ownEnvironment({ deploy }: Pick<RepoConfig, "deploy">, name: string): Environment | undefined {
  return ENVIRONMENTS.find((each) => {
    const settings = deploy[each];
    return settings && nameOnGitHub(settings, each).toLowerCase() === name.toLowerCase();
  });
}

/** What is deployed by hand from a branch has the commit of that branch; of Forge's own steps the step itself tells. */
function unfit({ sha }: RuleRequest, run: AskingRun, isOwn: boolean): RuleLook | undefined {
  if (!run.isOurs) return { of: "unfit", why: "fork" };
  return !isOwn && run.sha !== sha ? { of: "unfit", why: "other_commit" } : undefined;
}

async function lookAtOwn(
  { store }: RuleDependencies,
  { deploy }: Pick<RepoConfig, "deploy">,
  own: Environment,
  { subject, asked, run }: { readonly subject: Subject; readonly asked: RuleRequest; readonly run: AskingRun },
): Promise<RuleLook> {
  const [{ hold }, active] = await Promise.all([
    readEnvironment({ store }, subject),
    findActiveRun(store, subject, "deploy"),
  ]);
  const deployment = active && replayDeployment(await readEvents(store, active.traceId));
  const step = deployment && currentStep(deployment);
  const isUnderWay = step !== undefined && ["waiting", "running"].includes(step.outcome.is);
  const workflow = deploy[own]?.workflow;
  const isMeant = step?.handle?.workflowRunId === asked.workflowRunId || step?.planned.sha === run.sha;
  const isStep = isUnderWay && isMeant && (workflow === undefined || run.path.split("@")[0] === workflow);
  return { of: "own", isStep, underWay: deployment !== undefined, held: hold !== undefined };
}

async function lookAtOthers(
  dependencies: RuleDependencies,
  repository: RepositoryRef,
  { environment, sha }: RuleRequest,
  signal: AbortSignal,
): Promise<RuleLook> {
  const branch = await dependencies.host.readBranchHead(repository, undefined, signal);
  const previous = await dependencies.ruleHost.readLastDeployed(repository, environment, signal);
  const from = previous === undefined ? undefined : ({ sha: previous, by: "verified" } as const);
  const version = branch && { sha, branch, from, requires: REQUIREMENTS };
  const facts = version && (await factsOf(dependencies, repository, version, signal));
  return facts ? { of: "others", facts } : { of: "unfit", why: "gone" };
}
