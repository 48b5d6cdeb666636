import { defined } from "../../../domain/defined.ts";
import type { ReportedFinding } from "../../../domain/effects.ts";
import { ForgeError } from "../../../domain/errors.ts";
import type { QueuedPull } from "../../../domain/review-report.ts";
import { FORGE, numberOf, type PullRequestEnds, type Subject } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import { listRunsByHead } from "../../../store/runs/list-subjects.ts";
import { findLatestRun } from "../../../store/runs/read-runs.ts";
import type { Store } from "../../../store/store.ts";
import { listCommits } from "../../../workspace/commit-log.ts";
import type { Mirror } from "../../../workspace/mirror.ts";
import { readTreeId } from "../../../workspace/read-tree.ts";
import { fetchEnds, needed } from "../../change/fetch-ends.ts";
import { type Configuration, loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { submit } from "../../runs/handle-input.ts";
import { readFacts } from "../../runs/subject.ts";
import { overrideOn } from "../../runs/subject-facts.ts";
import { replay } from "../evolve.ts";
import type { ReviewFacts, RunState } from "../run-state.ts";
import { reportAnew } from "../show-ledger.ts";
import { reviewChange } from "../work/review-change.ts";
import type { ReviewDependencies, ReviewJob } from "../work/review-job.ts";

/**
 * Answers for a head that a merge queue made (GH-8d). Where its files are those of a reviewed head, that verdict is carried over; else the
 * free layers look at it. The worst verdict of the pull requests in it counts either way, and only the check tells of it.
 */
export async function reviewGroup(dependencies: ReviewDependencies, job: ReviewJob): Promise<void> {
  try {
    await answer(dependencies, job);
  } catch (error) {
    if (!(error instanceof ForgeError) || error.context.cause !== "gone") throw error;
    await submit(dependencies, job, { type: "subject.gone", reason: "repository_gone" });
  }
}

async function answer(dependencies: ReviewDependencies, job: ReviewJob): Promise<void> {
  const { runId, subject, attempt, signal } = job;
  const run = replay(await readEvents(dependencies.store, runId));
  if (!run) return;
  const { ends } = run;
  const configuration = await loadConfiguration(dependencies, subject.repository, signal);
  const remote = dependencies.host.remote(subject.repository);
  const mirror = await fetchEnds({ subject, ends, mirrorRoot: dependencies.mirrorRoot, remote, signal });
  const { commits } = needed(await listCommits(mirror, { base: ends.baseSha, head: ends.headSha, signal }));
  const queued = await findQueued(dependencies.store, subject, commits);
  const leftOut = reasonToLeaveOut(queued);
  const observed = await submit(dependencies, job, {
    ...{ type: "review.observed", runId, attempt, open: true, ends, draft: false, author: FORGE, labels: [] },
    configuration: configuration.value,
    ...defined({ leftOut }),
  });
  const types = observed.events.map((event) => event.type);
  if (!types.includes("phase.entered") && !types.includes("run.resumed")) return;
  const same = await findSame(mirror, ends, queued, signal);
  if (same?.review) await carry(dependencies, job, queued, same);
  else await look(dependencies, job, { ends, configuration, queued });
}

/** A pull request that people exclude from Forge stays excluded in the queue. */
function reasonToLeaveOut(queued: readonly Queued[]): string | undefined {
  const all = queued.length > 0 && queued.every(({ pull }) => pull.conclusion === "skipped");
  return all ? `${queued.map(({ pull }) => `#${pull.number}`).join(", ")} was left out` : undefined;
}

/** The pull request whose reviewed head has the very files of the group. */
async function findSame(
  mirror: Mirror,
  { headSha }: PullRequestEnds,
  queued: readonly Queued[],
  signal: AbortSignal,
): Promise<Queued | undefined> {
  const tree = needed(await readTreeId(mirror, headSha, signal)).tree;
  for (const one of queued) {
    if (!one.review) continue;
    // The head of a squashed pull request may be gone from here: then it is looked at anew.
    const reviewed = await readTreeId(mirror, one.pull.headSha, signal);
    if (reviewed.ok && reviewed.tree === tree) return one;
  }
  return undefined;
}

async function carry(
  dependencies: ReviewDependencies,
  job: ReviewJob,
  queued: readonly Queued[],
  same: Queued,
): Promise<void> {
  const { durationMs: _earlier, risk, ...review } = same.review!;
  await submit(dependencies, job, {
    type: "review.carried",
    runId: job.runId,
    carried: { headSha: same.pull.headSha, pull: same.pull.number },
    review,
    ...defined({ risk }),
    durationMs: 0,
    group: { queued: queued.map(({ pull }) => pull), findings: same.findings },
  });
}

interface Look {
  readonly ends: PullRequestEnds;
  readonly configuration: Configuration;
  readonly queued: readonly Queued[];
}

/** Findings that the pull request's own review counts, with people's decisions, are not counted a second time. */
async function look(
  dependencies: ReviewDependencies,
  job: ReviewJob,
  { ends, configuration, queued }: Look,
): Promise<void> {
  const { subject, signal, runId } = job;
  const began = performance.now();
  const result = await reviewChange(dependencies, {
    ...{ store: dependencies.store, subject, ends, configuration, signal, at: dependencies.now() },
    // It has no single author.
    ...{ defaultBranch: ends.baseRef, author: FORGE.login },
    remote: dependencies.host.remote(subject.repository),
  });
  signal.throwIfAborted();
  const answered = new Set(queued.filter(({ proven }) => proven).flatMap(({ answersFor }) => answersFor));
  await submit(dependencies, job, {
    ...{ type: "review.finished", runId, ...result },
    findings: result.findings.filter(({ fingerprint }) => !answered.has(fingerprint)),
    durationMs: Math.round(performance.now() - began),
    queued: queued.map(({ pull }) => pull),
  });
}

/** A pull request of a merge group whose newest head has an answer from Forge. */
interface Queued {
  readonly pull: QueuedPull;
  /** Whether the group is known to hold this very head, so that what is known of it is known of the group. */
  readonly proven: boolean;
  /** Absent where the head was left out or could not be reviewed. */
  readonly review?: ReviewFacts;
  readonly findings: readonly ReportedFinding[];
  /** Fingerprints that the pull request answers for: open, or dismissed by people. */
  readonly answersFor: readonly string[];
}

interface GroupCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  /** First line of its message. */
  readonly subject: string;
}

/** GitHub's messages for a merge and for a squash. */
const NAMED_PULL = /^Merge pull request #(\d{1,9}) from |\(#(\d{1,9})\)$/;

/**
 * The pull requests of a group, by the name of its branch, by the heads that its commits merge, and by what their messages say. A
 * message is anybody's word: it can add a verdict, which only makes the whole worse, and proves nothing.
 */
async function findQueued(store: Store, group: Subject, commits: readonly GroupCommit[]): Promise<Queued[]> {
  const { repository } = group;
  const merged = commits.flatMap(({ parents }) => parents.slice(1));
  const numbers = new Set([numberOf(group)]);
  for (const sha of merged) {
    for (const { subject } of await listRunsByHead(store, repository.id, sha, "review")) {
      if (subject.kind === "pull_request") numbers.add(subject.number);
    }
  }
  for (const { subject } of commits) {
    const named = NAMED_PULL.exec(subject);
    if (named) numbers.add(Number(named[1] ?? named[2]));
  }
  const queued = [...numbers]
    .filter((number) => number > 0)
    .map(async (number) => {
      const subject: Subject = { kind: "pull_request", repository, number };
      // A squash leaves no trace of the head; the branch is named by GitHub.
      const isProven = (headSha: string) =>
        merged.length > 0 ? merged.includes(headSha) : number === numberOf(group) && commits.length > 0;
      return answerOf(store, subject, isProven);
    });
  return (await Promise.all(queued)).filter((answer) => answer !== undefined);
}

async function answerOf(
  store: Store,
  subject: Subject,
  isProven: (headSha: string) => boolean,
): Promise<Queued | undefined> {
  const row = await findLatestRun(store, subject);
  const run = row && replay(await readEvents(store, row.traceId));
  if (!row || !run || (run.status !== "completed" && run.status !== "failed")) return undefined;
  const { headSha } = run.ends;
  const ledger = await readLedger(store, subject);
  const facts = await readFacts(store, subject);
  const overridden = overrideOn(facts, "forge/review", headSha);
  const anew = reportAnew(run, { ledger, facts, recent: [] });
  const report = anew?.report.kind === "reviewed" ? anew.report : undefined;
  const conclusion = overridden ? "success" : (anew?.conclusion ?? "skipped");
  const review = reviewOf(run);
  return {
    pull: {
      ...{ number: numberOf(subject), headSha, conclusion, blocking: report?.blocking ?? 0 },
      ...defined({ overridden }),
    },
    proven: isProven(headSha),
    ...defined({ review }),
    findings: report?.findings ?? [],
    answersFor: ledger
      .filter(({ state }) => state === "open" || state === "regressed" || state === "dismissed")
      .map(({ finding }) => finding.fingerprint),
  };
}

function reviewOf(run: RunState): ReviewFacts | undefined {
  return run.status === "completed" ? run.review : undefined;
}
