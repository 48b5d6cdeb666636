import { isDeepStrictEqual } from "node:util";
import { defined } from "../../../domain/defined.ts";
import { errorFacts, ForgeError, RetryLater } from "../../../domain/errors.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import { issuesClosedBy } from "../../../domain/ladder.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import type { DeadJob, JobContext } from "../../../queue/ports.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { type EarlierReview, readReviews } from "../../../store/runs/read-runs.ts";
import { isUpdateMergeOnly } from "../../../workspace/update-merge.ts";
import { fetchEnds } from "../../change/fetch-ends.ts";
import { type Configuration, loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { handleInput, type InputDependencies, submit } from "../../runs/handle-input.ts";
import { plannedRisk } from "../../runs/implementation-of.ts";
import type { PullRequestFacts } from "../../runs/ports.ts";
import { type AwaitsPerson, runPhase } from "../../runs/run-phase.ts";
import { replay } from "../evolve.ts";
import { reviewGroup } from "../merge-group/review-group.ts";
import { lookAtVerdicts } from "./judge-head.ts";
import { reviewChange } from "./review-change.ts";
import type { ReviewDependencies, ReviewJob } from "./review-job.ts";

/**
 * The review phase of a run: observe, decide whether to work, work, report. Every step is an input, so a worker that dies in between
 * leaves a run that the next one takes up (PIPE-7).
 */
export function runReview(
  dependencies: ReviewDependencies,
  { runId, subject }: JobPayload<"review">,
  { attempt, signal, fence }: JobContext,
): Promise<void> {
  const job = { runId, subject, attempt, signal, fence };
  return runPhase({
    ...{ signal, now: dependencies.now },
    run: () => (subject.kind === "merge_group" ? reviewGroup : observeAndReview)(dependencies, job),
    park: (until, message) => submit(dependencies, job, { type: "review.parked", runId, until, message }),
    suspend: (awaited) => askPerson(dependencies, job, awaited),
    fail: (error) =>
      submit(dependencies, job, { type: "review.failed", runId, error, attempts: attempt, final: false }),
  });
}

/** The queue has given up on a run's work: the run ends, and its check says so. */
export async function giveUpReview(
  { store, makeId, now }: InputDependencies,
  { runId, subject }: JobPayload<"review">,
  { error, attempts }: DeadJob,
): Promise<void> {
  const input = { type: "review.failed", subject, runId, error: errorFacts(error), attempts, final: true } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() });
}

async function observeAndReview(dependencies: ReviewDependencies, job: ReviewJob): Promise<void> {
  const { runId, subject, attempt, signal } = job;
  const facts = await dependencies.host.readPullRequest(subject, signal);
  if (!facts) {
    await submit(dependencies, job, { type: "subject.gone", reason: "repository_gone" });
    return;
  }
  const configuration = await loadConfiguration(dependencies, subject.repository, signal);
  const { open, ends, draft, author, labels } = facts;
  const observed = await submit(dependencies, job, {
    type: "review.observed",
    runId,
    attempt,
    open,
    ends,
    draft,
    author,
    labels,
    configuration: configuration.value,
    ...defined({ updatedAt: facts.updatedAt }),
  });
  const types = observed.events.map((event) => event.type);
  if (types.includes("phase.entered") || types.includes("run.resumed")) {
    const reviews = await readReviews(dependencies.store, subject);
    if (await carryUpdateMerge(dependencies, job, facts, reviews[0])) return;
    await review(dependencies, job, facts, configuration, reviews);
  } else if (observed.events.some((event) => event.type === "run.cancelled" && event.payload.reason === "superseded")) {
    await takeObservedHead(dependencies, job, facts);
  }
}

async function review(
  dependencies: ReviewDependencies,
  job: ReviewJob,
  facts: PullRequestFacts,
  configuration: Configuration,
  reviews: readonly EarlierReview[],
) {
  const { subject, signal } = job;
  const began = performance.now();
  const remote = dependencies.host.remote(subject.repository);
  const result = await reviewChange(dependencies, {
    store: dependencies.store,
    subject,
    ends: facts.ends,
    defaultBranch: facts.defaultBranch,
    ...{ configuration, reviews },
    author: facts.author.login,
    labels: await labelsOf(dependencies, job, facts),
    at: dependencies.now(),
    forModels: {
      ...{ runId: job.runId, fence: job.fence, title: facts.title, author: facts.author },
      ...defined({ description: facts.description }),
      ...{ now: dependencies.now, makeId: dependencies.makeId, host: dependencies.host },
    },
    remote,
    signal,
  });
  signal.throwIfAborted();
  const planned = await plannedRisk(dependencies.store, subject);
  const risk = result.risk && { ...result.risk, ...defined({ planned }) };
  await lookAtPeople(dependencies, job, facts, configuration.value);
  const durationMs = Math.round(performance.now() - began);
  await submit(dependencies, job, {
    type: "review.finished",
    runId: job.runId,
    ...result,
    ...defined({ risk }),
    durationMs,
  });
}

/** Labels of the pull request, and of the issues that it closes by its description: they tell what kind of task it is (SAFE-4). */
async function labelsOf(
  { host }: ReviewDependencies,
  { subject: { repository }, signal }: ReviewJob,
  { labels, description = "" }: PullRequestFacts,
): Promise<readonly string[]> {
  const closed = issuesClosedBy(description).map(async (number) => {
    try {
      return await host.readIssue({ kind: "issue", repository, number }, signal);
    } catch (error) {
      // An App that may not read issues reviews all the same.
      if (error instanceof RetryLater || !(error instanceof ForgeError)) throw error;
      return undefined;
    }
  });
  return [...labels, ...(await Promise.all(closed)).flatMap((issue) => (issue && !issue.isPull ? issue.labels : []))];
}

/** Reviews by people while Forge worked count when it is done. `same`: another head with the same files. */
async function lookAtPeople(
  dependencies: ReviewDependencies,
  { subject, fence, signal }: ReviewJob,
  { ends, author }: PullRequestFacts,
  { review: { high_risk: wish, architects } }: RepoConfig,
  same: readonly string[] = [],
): Promise<void> {
  if (wish !== "ask") return;
  await lookAtVerdicts(dependencies, { subject, heads: [ends.headSha, ...same], author, architects, fence, signal });
}

/** A person is asked about the head that is there (GH-14a): where it has moved on meanwhile, this run makes way instead. */
async function askPerson(dependencies: ReviewDependencies, job: ReviewJob, { question, needs }: AwaitsPerson) {
  const { runId, subject, signal } = job;
  const run = replay(await readEvents(dependencies.store, runId));
  const now = await dependencies.host.readPullRequest(subject, signal);
  if (!now?.open || now.ends.headSha !== run?.ends.headSha) return "outdated";
  await submit(dependencies, job, { type: "review.suspended", runId, question, needs });
  return "suspended";
}

/** The event that started this run was older than the pull request; the head that is there now gets a run of its own. */
async function takeObservedHead(
  dependencies: ReviewDependencies,
  job: ReviewJob,
  { ends, title, author }: PullRequestFacts,
) {
  await submit(dependencies, job, {
    type: "head.changed",
    request: { id: `${job.runId}-observed`, reason: "pushed", automatic: true },
    by: author,
    ends,
    title,
    debounceMs: 0,
  });
}

/**
 * A push that only merged the base branch in is not reviewed anew (GH-3): the verdict of the last review is carried over to its head. Not
 * where a person asked, where another base or another configuration stands behind that review, and where it did not see everything.
 * @returns whether it was carried over
 */
async function carryUpdateMerge(
  dependencies: ReviewDependencies,
  job: ReviewJob,
  facts: PullRequestFacts,
  last: EarlierReview | undefined,
): Promise<boolean> {
  const { ends } = facts;
  const { subject, runId, signal } = job;
  const { store, mirrorRoot, host } = dependencies;
  const run = replay(await readEvents(store, runId));
  if (run?.status !== "running" || !run.request.automatic || !last) return false;
  const { entered, completed } = last;
  const isSound = completed.conclusion !== "action_required" && completed.beyondLimit === 0;
  const isComparable = entered.ends.baseRef === ends.baseRef && entered.ends.headSha !== ends.headSha;
  if (!isSound || !isComparable || !isDeepStrictEqual(entered.configuration, run.configuration)) return false;
  const remote = host.remote(subject.repository);
  const mirror = await fetchEnds({ subject, ends, mirrorRoot, remote, signal });
  const push = { oldHead: entered.ends.headSha, newHead: ends.headSha, base: ends.baseSha, signal };
  const kind = await isUpdateMergeOnly(mirror, push);
  // What cannot be told for sure is reviewed.
  if (!kind.ok || !kind.isUpdateMergeOnly) return false;
  const earlier = replay(await readEvents(store, last.runId));
  const risk = earlier?.status === "completed" ? earlier.review?.risk : undefined;
  const same = completed.carried?.headSha ?? entered.ends.headSha;
  await lookAtPeople(dependencies, job, facts, run.configuration, [same, entered.ends.headSha]);
  await submit(dependencies, job, {
    ...{ type: "review.carried", runId, review: completed, durationMs: 0 },
    carried: { headSha: same },
    ...defined({ risk }),
  });
  return true;
}
