import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { chooseAdvisories } from "../analysis/dependencies/choose-advisories.ts";
import { createOutlineMemory } from "../analysis/map/read-graph.ts";
import { openAnalysisCache } from "../analysis/open-analysis-cache.ts";
import { defined } from "../domain/defined.ts";
import type { Environment } from "../domain/deployments.ts";
import { errorFacts, ForgeError } from "../domain/errors.ts";
import type { MakeId } from "../domain/ids.ts";
import type { ProductionFeedback } from "../domain/production-feedback.ts";
import type { RepositoryRef } from "../domain/subjects.ts";
import type { AppClient } from "../github/app-client.ts";
import { createCommentReader } from "../github/comment-reader.ts";
import type { LabelDependencies } from "../github/create-labels.ts";
import { createDeployHost } from "../github/deploy-host.ts";
import type { PushBranch, PushOutcome } from "../github/effects/effect-ports.ts";
import {
  createDeliveryHandler,
  type DeliveryOutcome,
  type StoredDelivery,
} from "../github/handlers/handle-delivery.ts";
import type { HandlerDependencies } from "../github/handlers/handler-dependencies.ts";
import { tellOfLost } from "../github/handlers/lost-delivery.ts";
import { createIdentity, type Identity } from "../github/identity.ts";
import { createIssueHost } from "../github/issue-host.ts";
import { createMergeReader } from "../github/merge-state.ts";
import { createPullRequestHost } from "../github/pull-request-host.ts";
import { createRuleHost } from "../github/rule-host.ts";
import { createGitHubSender } from "../github/send-effects.ts";
import type { LearnDependencies } from "../learning/learn.ts";
import { measure } from "../learning/metrics.ts";
import type { MergeDependencies } from "../learning/observe-merge.ts";
import { createClean } from "../monitoring/doors/clean-text.ts";
import { readPlain } from "../monitoring/doors/read-errors.ts";
import { readMessages } from "../monitoring/doors/read-messages.ts";
import { createSampling, type TakeSample, watchedBy } from "../monitoring/take-sample.ts";
import type { ProcessAi } from "../pipeline/ai/ai-dependencies.ts";
import { mirrorOf } from "../pipeline/change/fetch-ends.ts";
import type { CommandDependencies } from "../pipeline/commands/run-commands.ts";
import { type FeedbackDependencies, receiveFeedback } from "../pipeline/deploy/feedback/receive-feedback.ts";
import { type SuspectDependencies, suspect } from "../pipeline/deploy/feedback/suspect.ts";
import { readStandings } from "../pipeline/deploy/read-standings.ts";
import type { RuleDependencies } from "../pipeline/deploy/rule/answer-rule.ts";
import type { WorkDependencies } from "../pipeline/implement/work/work-job.ts";
import type { AskDependencies } from "../pipeline/review/ai/answer-asked.ts";
import type { FixDependencies } from "../pipeline/review/fix/make-fixes.ts";
import { readHeadReviews } from "../pipeline/review/head-reviews.ts";
import { readReview } from "../pipeline/review/load-view.ts";
import { knownHeads } from "../pipeline/review/shared-head/load-shared-head.ts";
import type { ReviewDependencies } from "../pipeline/review/work/review-job.ts";
import { createEffectDrain, type EffectDrain } from "../pipeline/runs/effects/drain-effects.ts";
import { hasOpenQuestion, readOpenGates } from "../pipeline/runs/gates/read-gates.ts";
import { handleInput, type InputDependencies } from "../pipeline/runs/handle-input.ts";
import { implementationOf } from "../pipeline/runs/implementation-of.ts";
import type { IssueHost } from "../pipeline/runs/ports.ts";
import type { TestHeadDependencies } from "../pipeline/testing/test-head.ts";
import type { DeadJob } from "../queue/ports.ts";
import { hideHostPaths, type Redact } from "../safety/redact.ts";
import { deleteInstallation } from "../store/delete-installation.ts";
import { isHeadOfFix } from "../store/effects/read-effects.ts";
import { findRepositoryByName } from "../store/feedback.ts";
import { addJobs } from "../store/jobs/add-jobs.ts";
import { listActiveSubjects } from "../store/runs/list-subjects.ts";
import { readWorkTree } from "../store/runs/put-work-tree.ts";
import { findDeploymentOf } from "../store/runs/read-releases.ts";
import { endSessionsOf, raiseAccessVersions } from "../store/sessions.ts";
import type { Store } from "../store/store.ts";
import { createDeployProgram } from "../workspace/deploy-program.ts";
import type { PackageSource } from "../workspace/install/install-packages.ts";
import { pushBranch } from "../workspace/working-tree/push-branch.ts";
import type { Config } from "./config.ts";

/** What a process of Forge has opened for itself before any room is joined with another. */
export interface Resources {
  readonly store: Store;
  readonly client: AppClient;
  readonly config: Config;
  readonly log: Logger;
  readonly redact: Redact;
  /** ISO 8601. */
  readonly now: () => string;
  readonly makeId: MakeId;
  /** Signs markers and keys fingerprints; made once for each database. */
  readonly key: Buffer;
  /** When the database was made, ISO 8601. */
  readonly bornAt: string;
  readonly scratchRoot: string;
  readonly mirrorRoot: string;
  /** Models that read changes too. */
  readonly ai: ProcessAi;
}

/** What jobs are given: each kind says by a type of its own what it needs, and this is all of it. */
export interface Dependencies
  extends ReviewDependencies,
    WorkDependencies,
    FixDependencies,
    TestHeadDependencies,
    CommandDependencies,
    AskDependencies,
    LearnDependencies,
    RuleDependencies,
    MergeDependencies,
    LabelDependencies {
  readonly comments: CommandDependencies["comments"];
  readonly memory: ProcessAi["memory"];
  readonly host: WorkDependencies["host"];
  readonly issues: IssueHost;
  readonly packages: PackageSource;
  readonly ai: ProcessAi;
  /** Reads the sources of an environment, which the operator named (MON-1). */
  readonly takeSample: TakeSample;
  /** Knows no path of this machine, beside the secrets. */
  readonly redact: Redact;
  readonly log: Logger;
  readonly drainEffects: EffectDrain;
  /** Takes what a door for feedback stored (PROD-2). */
  readonly takeMessages: (body: Buffer, signal: AbortSignal) => Promise<DeliveryOutcome>;
  readonly handleDelivery: ReturnType<typeof createDeliveryHandler>;
  /** Says on GitHub that a delivery was given up; why not, where nobody is told. */
  readonly tellOfLost: (delivery: StoredDelivery, dead: DeadJob) => Promise<string | undefined>;
}

/** Joins the rooms, once for each process. */
export function createDependencies(resources: Resources): Dependencies {
  const { store, client, config, log, now, makeId, key, scratchRoot, mirrorRoot, ai } = resources;
  const redact = hideHostPaths(resources.redact, hostPlaces(config));
  const identity = createIdentity(client);
  const issues = createIssueHost(client, { ...config.github, redact });
  const advisories = chooseAdvisories(config.advisories);
  const { origin } = config.github;
  const pages = config.dashboard?.url;
  const wording = { allowedHosts: [new URL(origin).host], redact, origin, ...defined({ pages }) };
  const pushBranch = createPush({ store, host: issues, mirrorRoot });
  const deployHost = createDeployHost(client, redact, identity);
  const send = createGitHubSender({ store, client, now, key, wording, pushBranch });
  const host = { ...createPullRequestHost(client, config.github), ...issues };
  const feedback = takeFeedback({ store, makeId, now, host, mirrorRoot, deployHost });
  const handlers = handlerDependencies(resources, identity, feedback);
  return {
    ...{ store, client, log, now, makeId, scratchRoot, mirrorRoot, ai, redact, issues, host },
    comments: createCommentReader(client),
    readMergeState: createMergeReader(client),
    memory: ai.memory,
    fingerprintKey: key,
    analysisCache: openAnalysisCache(config.cacheDirectory),
    onAnalyserFailure: (analyser, thrown) => log.error({ analyser, error: errorFacts(thrown) }, "an analyser failed"),
    ...defined({ advisories }),
    outlines: createOutlineMemory(),
    readReview: (runId) => readReview(store, runId),
    readHeadReviews: (subject) => readHeadReviews(store, subject),
    deployHost,
    ruleHost: createRuleHost(client, identity),
    readStandings: (about) => readStandings(store, about),
    readCommit: (repository, written, signal) => deployHost.readCommit(repository, written, signal),
    takeSample: createSampling(config.sources),
    watchedBy: (repository, environment) => watchedBy(config.sources, repository, environment),
    ...(config.deployProgram
      ? { runDeployProgram: createDeployProgram(config.deployProgram, redact, process.env) }
      : {}),
    packages: packageSource(config),
    dayLimitUsd: config.dayLimitUsd,
    measure: (repositoryId) => measure(store, now(), repositoryId),
    ...defined({ installationDayUsd: config.installationDayUsd }),
    author: async () => {
      const name = await identity.login();
      return { name, email: `${name}@users.noreply.github.com` };
    },
    drainEffects: createEffectDrain({ store, log, now, makeId, send }),
    takeMessages: createMessageTaking(store, feedback, config, redact),
    handleDelivery: createDeliveryHandler(client.probot, handlers),
    tellOfLost: (delivery, dead) => tellOfLost(handlers, delivery, dead),
  };
}

type TakeFeedback = (
  repository: RepositoryRef,
  environment: Environment,
  told: readonly ProductionFeedback[],
  signal: AbortSignal,
) => Promise<void>;

function takeFeedback(dependencies: SuspectDependencies & InputDependencies): TakeFeedback {
  return (repository, environment, told, signal) => {
    const suspects: FeedbackDependencies["suspect"] = (...about) => suspect(dependencies, ...about, signal);
    return receiveFeedback({ ...dependencies, suspect: suspects }, repository, environment, told);
  };
}

/** Joins what a door stored with the environments that it is about. */
function createMessageTaking(
  store: Store,
  take: TakeFeedback,
  { sources }: Config,
  redact: Redact,
): Dependencies["takeMessages"] {
  const clean = createClean(redact);
  return async (body, signal) => {
    let taken = 0;
    for (const { repository: name, environment, feedback } of await readMessages(body, sources, clean)) {
      const repository = await findRepositoryByName(store, name);
      if (repository === undefined) continue;
      await take(repository, environment, feedback, signal);
      taken += feedback.length;
    }
    return taken > 0 ? { state: "handled" } : { state: "ignored", reason: "it is about nothing that Forge works on" };
  };
}

function handlerDependencies(
  { store, makeId, now, config, redact }: Resources,
  identity: Identity,
  take: TakeFeedback,
): HandlerDependencies {
  const clean = createClean(redact);
  return {
    takeDispatched: async (repository, { id, environment, payload }) => {
      const told = readPlain(payload, id, clean);
      if (told === undefined) return { ignored: "it says neither a type nor a message nor a metric" };
      await take(repository, environment, [told.feedback], new AbortController().signal);
      return {};
    },
    submit: (input, fence) => handleInput({ store, makeId }, input, fence),
    knownHeads: (repositoryId, headSha) => knownHeads(store, repositoryId, headSha),
    implementationOf: (repositoryId, by) => implementationOf(store, repositoryId, by),
    deploymentOf: (repositoryId, check) => findDeploymentOf(store, repositoryId, check),
    isHeadOfFix: (repositoryId, headSha) => isHeadOfFix(store, repositoryId, headSha),
    awaitsAnswer: (issue) => hasOpenQuestion(store, issue),
    openGates: (issue) => readOpenGates(store, issue),
    createLabels: async (repositories) => {
      const jobs = repositories.map((repository) => {
        return { kind: "labels", key: `labels:${repository.id}`, payload: { repository }, runAt: now() } as const;
      });
      await addJobs(store, jobs);
    },
    askRule: async (repository, asked) => {
      // A matrix asks for every job, and one answer is for all of them.
      const key = `rule:${repository.id}:${asked.workflowRunId}:${asked.environment.toLowerCase()}`;
      await addJobs(store, [{ kind: "rule", key, payload: { repository, asked }, runAt: now() }]);
    },
    activeSubjects: (of) => listActiveSubjects(store, of),
    forgetInstallation: async (id) => {
      if (config.forgetOnUninstall) await deleteInstallation(store, id);
    },
    signOut: (personId) => endSessionsOf(store, personId),
    accessChanged: () => raiseAccessVersions(store),
    isSelf: async (login) => login === (await identity.login()),
    apiUrl: config.github.apiUrl,
    appId: config.app.id,
    now,
    makeId,
    debounceMs: config.debounceMs,
  };
}

/** Where packages of repositories come from and are kept. */
export function packageSource(config: Config): PackageSource {
  const { packageDirectory: root, packageBytes: maxBytes, registries, packageSettings: env } = config;
  return { root, maxBytes, registries, env };
}

/** Where Forge works on this machine. */
function hostPlaces({ dataDirectory, packageDirectory }: Config): string[] {
  const inside = ["scratch", "mirrors", "cache"].map((name) => join(dataDirectory, name));
  return [dataDirectory, packageDirectory, ...inside, join(tmpdir(), "forge-")];
}

interface PushDependencies {
  readonly store: Store;
  readonly host: Pick<IssueHost, "pushRemote">;
  readonly mirrorRoot: string;
}

/** Joins the effect of a push with what does it: the commits are those of the run's working tree, on whichever machine it was written. */
function createPush({ store, host, mirrorRoot }: PushDependencies): PushBranch {
  return async ({ subject, runId, branch, headSha, expected, theirs, signal }): Promise<PushOutcome> => {
    const { repository } = subject;
    const mirror = mirrorOf(repository, mirrorRoot, host.pushRemote(repository));
    const snapshot = await readWorkTree(store, runId);
    try {
      const done = await pushBranch({
        ...{ mirror, remote: mirror.remote, branch, theirs, sha: headSha, expected, snapshot },
        signal: signal ?? new AbortController().signal,
      });
      switch (done.outcome) {
        case "pushed":
        case "already":
          return { is: done.outcome };
        case "moved":
          return { is: "moved", to: done.sha };
        case "refused":
          return { is: "refused", reason: done.reason };
      }
    } catch (error) {
      if (error instanceof ForgeError && error.code === "github_unavailable") {
        return { is: "unavailable", reason: error.message };
      }
      throw error;
    }
  };
}
