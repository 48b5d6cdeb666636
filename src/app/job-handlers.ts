import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { chooseAdvisories } from "../analysis/dependencies/choose-advisories.ts";
import { createOutlineMemory } from "../analysis/map/outline-memory.ts";
import { openAnalysisCache } from "../analysis/open-analysis-cache.ts";
import { errorFacts } from "../domain/errors.ts";
import type { MakeId } from "../domain/ids.ts";
import { JOB_CATALOGUE } from "../domain/jobs.ts";
import type { Subject } from "../domain/subjects.ts";
import type { AppClient } from "../github/app-client.ts";
import { answerAsked, giveUpAsked } from "../github/commands/answer-asked.ts";
import { createCommentReader } from "../github/commands/comment-reader.ts";
import { runCommands, voidCommands } from "../github/commands/run-commands.ts";
import { createLabels } from "../github/create-labels.ts";
import { createEffectDrain, giveUpEffect } from "../github/drain-effects.ts";
import { createDeliveryHandler } from "../github/handlers/handle-delivery.ts";
import { createIdentity } from "../github/identity.ts";
import { createIssueHost } from "../github/issue-host.ts";
import { createPullRequestHost } from "../github/pull-request-host.ts";
import { AVAILABLE_COMMANDS } from "../github/words/available-commands.ts";
import { implementationOf } from "../pipeline/implement/implementation-of.ts";
import { giveUpWork, runWork } from "../pipeline/implement/work/run-work.ts";
import type { PullRequestAi } from "../pipeline/review/ai/pull-request-ai.ts";
import { giveUpFixes, makeFixes } from "../pipeline/review/fix/make-fixes.ts";
import { knownHeads } from "../pipeline/review/known-heads.ts";
import { giveUpReview, runReview } from "../pipeline/review/work/run-review.ts";
import { hasOpenQuestion, readOpenGates } from "../pipeline/runs/gates/has-open-question.ts";
import { handleInput } from "../pipeline/runs/handle-input.ts";
import { answerTest, giveUpTest } from "../pipeline/testing/answer-test.ts";
import type { Handlers } from "../queue/handlers.ts";
import { hideHostPaths } from "../safety/host-paths.ts";
import type { Redact } from "../safety/redact.ts";
import { addJobs } from "../store/add-jobs.ts";
import type { ClaimedJob } from "../store/claim-job.ts";
import { deleteInstallation } from "../store/delete-installation.ts";
import { isHeadOfFix } from "../store/is-head-of-fix.ts";
import { listActiveSubjects } from "../store/list-subjects.ts";
import { readDelivery } from "../store/read-delivery.ts";
import { settleDelivery } from "../store/settle-delivery.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./config.ts";
import { createPush } from "./push-work.ts";

export interface WorkPowers {
  readonly store: Store;
  readonly client: AppClient;
  readonly config: Config;
  readonly log: Logger;
  readonly redact: Redact;
  readonly now: () => string;
  readonly makeId: MakeId;
  /** Signs markers and keys fingerprints; made once for each database. */
  readonly key: Buffer;
  /** When the database was made. */
  readonly bornAt: string;
  readonly scratchRoot: string;
  readonly mirrorRoot: string;
  /** Models that read changes too. */
  readonly ai: PullRequestAi;
}

/** Where Forge works on this machine. */
function hostPlaces(dataDirectory: string): string[] {
  const inside = ["scratch", "mirrors", "cache"].map((name) => join(dataDirectory, name));
  return [dataDirectory, ...inside, join(tmpdir(), "forge-")];
}

/** Joins the rooms: which function does which kind of job, and what happens when a job is given up. */
export function createJobHandlers(powers: WorkPowers): {
  handlers: Handlers;
  onDead: (job: ClaimedJob, error: unknown) => Promise<void>;
} {
  const { store, client, config, log, now, makeId, key, scratchRoot, mirrorRoot } = powers;
  const host = createPullRequestHost(client, config.github);
  const identity = createIdentity(client);
  const wording = {
    allowedHosts: [new URL(config.github.origin).host],
    redact: hideHostPaths(powers.redact, hostPlaces(config.dataDirectory)),
    commands: AVAILABLE_COMMANDS,
  };
  const analysisCache = openAnalysisCache(config.cacheDirectory);
  const advisories = chooseAdvisories(config.advisories);
  const review = {
    store,
    makeId,
    now,
    host,
    work: {
      ...{ mirrorRoot, scratchRoot, fingerprintKey: key, analysisCache, ai: powers.ai },
      ...(advisories ? { advisories } : {}),
    },
  };
  const { dayLimitUsd } = config;
  const comments = createCommentReader(client);
  const issues = createIssueHost(client, { ...config.github, redact: wording.redact });
  const drain = createEffectDrain({ ...powers, wording, pushBranch: createPush({ store, host: issues, mirrorRoot }) });
  const commands = { store, makeId, now, host, issues, comments, redact: wording.redact, dayLimitUsd };
  const questions = { ...commands, mirrorRoot, scratchRoot, ai: powers.ai };
  const author = async () => {
    const name = await identity.login();
    return { name, email: `${name}@users.noreply.github.com` };
  };
  const work = {
    ...{ store, makeId, now, mirrorRoot, scratchRoot, author, ai: powers.ai },
    host: { ...host, ...issues },
    registries: config.registries,
    outlines: createOutlineMemory(),
  };
  const { registries, outlines } = work;
  const tests = { store, makeId, now, mirrorRoot, scratchRoot, host, registries, outlines, redact: wording.redact };
  const fixes = { store, makeId, now, mirrorRoot, scratchRoot, author, host };
  const handleDelivery = createDeliveryHandler(client.probot, {
    submit: (input) => handleInput({ store, makeId }, input),
    knownHeads: (repositoryId, headSha) => knownHeads(store, repositoryId, headSha),
    implementationOf: (repositoryId, by) => implementationOf(store, repositoryId, by),
    isHeadOfFix: (repositoryId, headSha) => isHeadOfFix(store, repositoryId, headSha),
    awaitsAnswer: (issue) => hasOpenQuestion(store, issue),
    openGates: (issue) => readOpenGates(store, issue),
    createLabels: async (repositories) => {
      const jobs = repositories.map((repository) => {
        return { kind: "labels", key: `labels:${repository.id}`, payload: { repository }, runAt: now() } as const;
      });
      await addJobs(store, jobs);
    },
    activeSubjects: (of) => listActiveSubjects(store, of),
    forgetInstallation: async (id) => {
      if (config.forgetOnUninstall) await deleteInstallation(store, id);
    },
    isSelf: async (login) => login === (await identity.login()),
    appId: config.app.id,
    now,
    makeId,
    debounceMs: config.debounceMs,
  });

  const handlers: Handlers = {
    delivery: async ({ deliveryId }) => {
      const delivery = await readDelivery(store, deliveryId);
      if (delivery?.state !== "received") return;
      const outcome = await handleDelivery(delivery);
      const reason = outcome.state === "ignored" ? outcome.reason : undefined;
      log.debug({ delivery: deliveryId, event: delivery.event, ...outcome }, "delivery handled");
      await settleDelivery(store, deliveryId, outcome.state, reason);
    },
    review: async ({ runId, subject }, { attempt, signal, fence }) =>
      runReview(review, { runId, subject, attempt, signal, fence }),
    command: async (payload, context) => runCommands(commands, payload, context),
    ask: async (payload, context) => answerAsked(questions, payload, context),
    fix: async (payload, context) => makeFixes(fixes, payload, context),
    test: async (payload, context) => answerTest(tests, payload, context),
    labels: async ({ repository }, { signal }) => createLabels({ store, client, log, now }, repository, signal),
    implement: async ({ runId, subject }, { attempt, signal, fence }) =>
      runWork(work, { runId, subject, attempt, signal, fence }),
    effects: async ({ subject }, context) => drain(subject, context),
  };

  return {
    handlers,
    onDead: async (job, error) => {
      if (job.kind === "delivery") {
        const { deliveryId } = JOB_CATALOGUE.delivery.parse(job.payload);
        await settleDelivery(store, deliveryId, "failed", error instanceof Error ? error.message : String(error));
      } else if (job.kind === "review") {
        const { runId, subject }: { runId: string; subject: Subject } = JOB_CATALOGUE.review.parse(job.payload);
        await giveUpReview({ store, makeId, now }, { runId, subject, attempts: triesOf(job, error), error });
      } else if (job.kind === "implement") {
        const { runId, subject } = JOB_CATALOGUE.implement.parse(job.payload);
        await giveUpWork({ store, makeId, now }, { runId, subject, attempts: triesOf(job, error), error });
      } else if (job.kind === "command") {
        const { code } = errorFacts(error);
        await voidCommands({ store, makeId, now }, JOB_CATALOGUE.command.parse(job.payload), {
          reason: "failed",
          code,
        });
      } else if (job.kind === "ask") {
        const { code } = errorFacts(error);
        await giveUpAsked({ store, makeId, now }, JOB_CATALOGUE.ask.parse(job.payload), { reason: "failed", code });
      } else if (job.kind === "fix") {
        const { code } = errorFacts(error);
        await giveUpFixes({ store, makeId, now }, JOB_CATALOGUE.fix.parse(job.payload), { reason: "failed", code });
      } else if (job.kind === "test") {
        const { code } = errorFacts(error);
        await giveUpTest({ store, makeId, now }, JOB_CATALOGUE.test.parse(job.payload), { reason: "failed", code });
      } else if (job.kind === "effects") {
        const { subject } = JOB_CATALOGUE.effects.parse(job.payload);
        await giveUpEffect({ store, makeId, now, log }, { subject, fence: { jobId: job.id, token: job.token }, error });
      }
    },
  };
}

/** Set aside, it was claimed once more and not tried. */
function triesOf({ attempt }: ClaimedJob, error: unknown): number {
  return errorFacts(error).code === "set_aside" ? attempt - 1 : attempt;
}
