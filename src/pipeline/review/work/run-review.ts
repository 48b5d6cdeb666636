import { errorFacts } from "../../../domain/errors.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { DeadJob, JobContext } from "../../../queue/ports.ts";
import { readEvents } from "../../../store/read-events.ts";
import { type Configuration, loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import type { AwaitsPerson } from "../../runs/gates/awaits-person.ts";
import { type HandleInputPorts, handleInput } from "../../runs/handle-input.ts";
import type { PullRequestFacts } from "../../runs/ports.ts";
import { runPhase } from "../../runs/run-phase.ts";
import { replay } from "../evolve.ts";
import { reviewGroup } from "../merge-group/review-group.ts";
import { carryUpdateMerge } from "./carry-update-merge.ts";
import { reviewChange } from "./review-change.ts";
import { type ReviewJob, type ReviewPowers, submit } from "./review-job.ts";

/**
 * The review phase of a run: observe, decide whether to work, work, report. Every step is an input, so a worker that dies in between
 * leaves a run that the next one takes up (PIPE-7).
 */
export function runReview(
  powers: ReviewPowers,
  { runId, subject }: JobPayload<"review">,
  { attempt, signal, fence }: JobContext,
): Promise<void> {
  const job = { runId, subject, attempt, signal, fence };
  return runPhase({
    ...{ signal, now: powers.now },
    run: () => (subject.kind === "merge_group" ? reviewGroup(powers, job) : observeAndReview(powers, job)),
    park: (until, message) => submit(powers, job, { type: "review.parked", runId, until, message }),
    suspend: (awaited) => askPerson(powers, job, awaited),
    fail: (error) => submit(powers, job, { type: "review.failed", runId, error, attempts: attempt, final: false }),
  });
}

/** The queue has given up on a run's work: the run ends, and its check says so. */
export async function giveUpReview(
  { store, makeId, now }: HandleInputPorts & { readonly now: () => string },
  { runId, subject }: JobPayload<"review">,
  { error, attempts }: DeadJob,
): Promise<void> {
  const input = { type: "review.failed", subject, runId, error: errorFacts(error), attempts, final: true } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() });
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
    await review(powers, job, facts, configuration);
  } else if (observed.events.some((event) => event.type === "run.cancelled" && event.payload.reason === "superseded")) {
    await takeObservedHead(powers, job, facts);
  }
}

async function review(powers: ReviewPowers, job: ReviewJob, facts: PullRequestFacts, configuration: Configuration) {
  const { subject, signal } = job;
  const began = performance.now();
  const remote = powers.host.remote(subject.repository);
  const result = await reviewChange(powers, {
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
async function askPerson(powers: ReviewPowers, job: ReviewJob, { question, needs }: AwaitsPerson) {
  const { runId, subject, signal } = job;
  const run = replay(await readEvents(powers.store, runId));
  const now = await powers.host.readPullRequest(subject, signal);
  if (!now?.open || now.ends.headSha !== run?.ends.headSha) return "outdated";
  await submit(powers, job, { type: "review.suspended", runId, question, needs });
  return "suspended";
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
