import { REQUIREMENTS } from "../../../domain/coverage.ts";
import { defined } from "../../../domain/defined.ts";
import { ENVIRONMENTS, type Environment, environmentSubject } from "../../../domain/deployments.ts";
import { RetryLater } from "../../../domain/errors.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { RuleLook, RuleRequest } from "../../../domain/protection.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { EnvironmentSubject, RepositoryRef } from "../../../domain/subjects.ts";
import type { DeadJob, JobContext } from "../../../queue/ports.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { findActiveRun } from "../../../store/runs/read-runs.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { handleInput, type InputDependencies, submit } from "../../runs/handle-input.ts";
import { currentStep } from "../deployment.ts";
import { replayDeployment } from "../evolve.ts";
import type { DeployDependencies } from "../work/deploy-job.ts";
import { compareVersion, factsOf, nameOnGitHub, readEnvironment } from "../work/observe-deployment.ts";
import { answerTo } from "./answer-to.ts";
import { readLetThrough } from "./let-through.ts";

/** The run of a workflow that asks, as GitHub tells it. */
export interface AskingRun {
  readonly sha: string;
  /** Of its workflow, such as `.github/workflows/deploy.yml`. */
  readonly path: string;
  /** It is of this repository, and of no fork of it. */
  readonly isOurs: boolean;
  /** Forge started it. */
  readonly byForge: boolean;
  /** From 2 on where a person ran it again. */
  readonly attempt: number;
}

/** What the rule of an environment asks the git host. All of it throws RetryLater `github_unavailable` when there is no answer now. */
export interface RuleHost {
  /** Undefined where nothing of that run waits for the environment any more. */
  readAskingRun(repository: RepositoryRef, asked: RuleRequest, signal: AbortSignal): Promise<AskingRun | undefined>;
}

export interface RuleDependencies extends DeployDependencies {
  readonly ruleHost: RuleHost;
}

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
  { repository, asked: request }: JobPayload<"rule">,
  { signal, fence }: JobContext,
): Promise<void> {
  const run = await dependencies.ruleHost.readAskingRun(repository, request, signal);
  if (!run) return;
  const asked: RuleRequest = run.attempt > 1 ? { ...request, attempt: run.attempt } : request;
  const { value: configuration } = await loadConfiguration(dependencies, repository, signal);
  const own = ownEnvironment(configuration, asked.environment);
  const subject = own ? environmentSubject(repository, own) : othersOf(repository);
  const asking: Asking = { subject, asked, run };
  const look =
    unfit(asked, run, own !== undefined) ??
    (own ? await lookAtOwn(dependencies, asking, signal) : await lookAtOthers(dependencies, asking, signal));
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

/** Environments that are none of Forge's own share a log. */
function othersOf(repository: RepositoryRef): EnvironmentSubject {
  return { kind: "environment", repository, environment: "other" };
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

/** What asks, and whose log says what was answered. */
interface Asking {
  readonly subject: EnvironmentSubject;
  readonly asked: RuleRequest;
  readonly run: AskingRun;
}

async function lookAtOwn(
  { store, deployHost }: RuleDependencies,
  { subject, asked, run }: Asking,
  signal: AbortSignal,
): Promise<RuleLook> {
  const [{ hold }, active] = await Promise.all([
    readEnvironment({ store }, subject),
    findActiveRun(store, subject, "deploy"),
  ]);
  const deployment = active && replayDeployment(await readEvents(store, active.traceId));
  const step = deployment && currentStep(deployment);
  const isUnderWay = step !== undefined && ["waiting", "running"].includes(step.outcome.is);
  // The commit alone makes no step: everyone who may push can start the workflow with inputs of their own.
  const isFirst = run.byForge && run.attempt === 1;
  const begun = step && { handle: step.handle ?? {}, startedAt: step.startedAt };
  const known =
    isUnderWay && isFirst && begun
      ? await deployHost.readStepRuns(subject.repository, step.planned, begun, signal)
      : [];
  const from = run.attempt > 1 ? "again" : run.byForge ? "forge" : "others";
  const isStep = known.includes(asked.workflowRunId);
  return { of: "own", isStep, from, underWay: deployment !== undefined, held: hold !== undefined };
}

async function lookAtOthers(
  dependencies: RuleDependencies,
  { subject, asked, run }: Asking,
  signal: AbortSignal,
): Promise<RuleLook> {
  const { environment, sha, workflowRunId } = asked;
  const { repository } = subject;
  const { host, deployHost, store } = dependencies;
  const branch = await host.readBranchHead(repository, undefined, signal);
  const letThrough = await readLetThrough(store, subject, environment);
  const verified = { path: run.path, ...defined({ letThrough }), except: workflowRunId };
  const previous = await deployHost.readLastDeployed(repository, environment, verified, signal);
  const from = previous === undefined ? undefined : ({ sha: previous, by: "verified" } as const);
  const version = branch && { sha, branch, from, requires: REQUIREMENTS };
  const compared = version && (await compareVersion(dependencies, repository, version, signal));
  if (!compared) return { of: "unfit", why: "gone" };
  const facts = await factsOf(dependencies, repository, { ...version, ...compared }, signal);
  return { of: "others", facts, again: run.attempt > 1 };
}
