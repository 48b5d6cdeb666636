import { errorFacts, ForgeError } from "../../../domain/errors.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { AwaitsPerson } from "../../ai/gatekeeper.ts";
import { type Configuration, loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { type HandleInputPorts, handleInput } from "../../runs/handle-input.ts";
import type { PullRequestFacts } from "../../runs/ports.ts";
import { whenAskedAgain } from "../../runs/when-asked-again.ts";
import { reviewGroup } from "../merge-group/review-group.ts";
import { carryUpdateMerge } from "./carry-update-merge.ts";
import { reviewChange } from "./review-change.ts";
import { type ReviewJob, type ReviewPowers, submit } from "./review-job.ts";

/**
 * The review phase of a run: observe, decide whether to work, work, report. Every step is an input, so a worker that dies in between
 * leaves a run that the next one takes up (PIPE-7).
 * @returns when to try again, where the host gave no answer
 */
export async function runReview(
  powers: ReviewPowers,
  job: ReviewJob,
): Promise<{ readonly retryAt: string } | undefined> {
  try {
    if (job.subject.kind === "merge_group") await reviewGroup(powers, job);
    else await observeAndReview(powers, job);
    return undefined;
  } catch (error) {
    if (job.signal.aborted || isLostLease(error)) throw error;
    if (error instanceof ForgeError && error.code === "run_stopped") return undefined;
    // Nothing is wrong: whoever was asked wants to be asked later.
    if (error instanceof ForgeError && (error.code === "github_unavailable" || error.code === "model_later")) {
      const until = whenAskedAgain(error, powers.now());
      if (error.code === "model_later") {
        const { runId } = job;
        await submit(powers, job, { type: "review.parked", runId, until, message: error.message });
      }
      return { retryAt: until };
    }
    const facts = errorFacts(error);
    await submit(powers, job, {
      type: "review.failed",
      runId: job.runId,
      error: facts,
      attempts: job.attempt,
      final: false,
    });
    throw error;
  }
}

/** The queue has given up on a run's work: the run ends, and its check says so. */
export async function giveUpReview(powers: HandleInputPorts & { now: () => string }, job: DeadReview): Promise<void> {
  const { subject, runId, attempts } = job;
  const error = errorFacts(job.error);
  const input = { type: "review.failed", subject, runId, error, attempts, final: true } as const;
  await handleInput(powers, { ...input, at: powers.now(), newRunId: powers.makeId() });
}

export interface DeadReview {
  readonly runId: string;
  readonly subject: Subject;
  readonly attempts: number;
  readonly error: unknown;
}

async function observeAndReview(powers: ReviewPowers, job: ReviewJob): Promise<void> {
  const { runId, subject, attempt, signal } = job;
  const facts = await powers.host.readPullRequest(subject, signal);
  if (!facts) {
    await submit(powers, job, { type: "subject.gone", reason: "repository_gone" });
    return;
  }
  const configuration = await loadConfiguration(powers, subject.repository, signal);
  const { open, ends, draft, author, labels } = facts;
  const observed = await submit(powers, job, {
    type: "review.observed",
    runId,
    attempt,
    open,
    ends,
    draft,
    author,
    labels,
    configuration: configuration.value,
    ...(facts.updatedAt === undefined ? {} : { updatedAt: facts.updatedAt }),
  });
  const types = observed.events.map((event) => event.type);
  if (types.includes("phase.entered") || types.includes("run.resumed")) {
    if (await carryUpdateMerge(powers, job, facts)) return;
    try {
      await review(powers, job, facts, configuration);
    } catch (error) {
      if (!(error instanceof AwaitsPerson)) throw error;
      await waitForPerson(powers, job, facts, error);
    }
  } else if (observed.events.some((event) => event.type === "run.cancelled" && event.payload.reason === "superseded")) {
    await takeObservedHead(powers, job, facts);
  }
}

async function review(powers: ReviewPowers, job: ReviewJob, facts: PullRequestFacts, configuration: Configuration) {
  const { subject, signal } = job;
  const began = performance.now();
  const remote = powers.host.remote(subject.repository);
  const result = await reviewChange(powers.work, {
    store: powers.store,
    subject,
    ends: facts.ends,
    defaultBranch: facts.defaultBranch,
    configuration,
    author: facts.author.login,
    at: powers.now(),
    forModels: {
      ...{ runId: job.runId, fence: job.fence, title: facts.title, author: facts.author },
      ...{ now: powers.now, makeId: powers.makeId, host: powers.host },
    },
    remote,
    signal,
  });
  signal.throwIfAborted();
  const durationMs = Math.round(performance.now() - began);
  await submit(powers, job, { type: "review.finished", runId: job.runId, ...result, durationMs });
}

/** A person is asked about the head that is there (GH-14a): where it has moved on meanwhile, nobody is, and this run makes way. */
async function waitForPerson(
  powers: ReviewPowers,
  job: ReviewJob,
  { ends }: PullRequestFacts,
  { question, needs }: AwaitsPerson,
): Promise<void> {
  const now = await powers.host.readPullRequest(job.subject, job.signal);
  if (!now?.open || now.ends.headSha !== ends.headSha) return observeAndReview(powers, job);
  await submit(powers, job, { type: "review.suspended", runId: job.runId, question, needs });
}

/** The event that started this run was older than the pull request; the head that is there now gets a run of its own. */
async function takeObservedHead(powers: ReviewPowers, job: ReviewJob, { ends, title, author }: PullRequestFacts) {
  await submit(powers, job, {
    type: "head.changed",
    request: { id: `${job.runId}-observed`, reason: "pushed", automatic: true },
    by: author,
    ends,
    title,
    debounceMs: 0,
  });
}

function isLostLease(error: unknown): boolean {
  return error instanceof ForgeError && error.code === "lease_lost";
}
