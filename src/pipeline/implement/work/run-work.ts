import { defined } from "../../../domain/defined.ts";
import { errorFacts } from "../../../domain/errors.ts";
import { isOpen } from "../../../domain/findings.ts";
import type { Feedback, PullSignal } from "../../../domain/implementation.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { Phase } from "../../../domain/phases.ts";
import { atLeast } from "../../../domain/subjects.ts";
import type { DeadJob, JobContext } from "../../../queue/ports.ts";
import { readEvidence } from "../../../store/effects/read-effects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import { readLedger } from "../../../store/runs/ledger.ts";
import { findTarget } from "../../commands/decide-command.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { guardsOf, PIPELINES } from "../../runs/definition.ts";
import { handleInput, type InputDependencies, submit } from "../../runs/handle-input.ts";
import { type PhaseOfJob, runPhase } from "../../runs/run-phase.ts";
import { replayImplementation } from "../evolve.ts";
import { type Implementation, openGates, ownsIssue } from "../implementation.ts";
import { pullSubject } from "../step.ts";
import { awaitRelease } from "./await-release.ts";
import { carryOut } from "./carry-out.ts";
import { joinBranch, lookAtPull, seePull } from "./look-at-pull.ts";
import { makePlan } from "./make-plan.ts";
import { reviewPull, toFeedback } from "./review-pull.ts";
import { testPull } from "./test-pull.ts";
import { createWorkTreeStore, type WorkDependencies, type WorkJob } from "./work-job.ts";

/**
 * Does for a run on an issue what comes next, phase by phase, until people, CI or GitHub have the word. Every result is an input, so a
 * worker that dies in between leaves a run that the next one takes up (PIPE-7).
 */
export async function runWork(
  dependencies: WorkDependencies,
  { runId, subject }: JobPayload<"implement">,
  { attempt, signal, fence }: JobContext,
): Promise<void> {
  await using trees = createWorkTreeStore();
  const reflections: Promise<unknown>[] = [];
  const afterwards = (work: Promise<unknown>) => void reflections.push(work.catch(() => {}));
  const job: WorkJob = { runId, subject, attempt, signal, fence, trees, afterwards };
  try {
    await workOff(dependencies, job);
  } finally {
    // What is learnt stands in the log of the run, which is this worker's as long as it has the job.
    await Promise.all(reflections);
  }
}

async function workOff(dependencies: WorkDependencies, job: WorkJob): Promise<void> {
  const { signal } = job;
  await runPhase(phaseOf(dependencies, job, () => observe(dependencies, job)));
  for (let before = -1; ; ) {
    signal.throwIfAborted();
    const run = await readRunState(dependencies, job);
    // What came to nothing would come to nothing again.
    if (!run || run.version === before) return;
    before = run.version;
    await runPhase(phaseOf(dependencies, job, () => doNext(dependencies, job, run)));
  }
}

function phaseOf(dependencies: WorkDependencies, job: WorkJob, run: () => Promise<void>): PhaseOfJob {
  const { runId, signal, attempt: attempts } = job;
  return {
    ...{ signal, now: dependencies.now, run },
    park: (until, message) => submit(dependencies, job, { type: "work.parked", runId, until, message }),
    suspend: async ({ question, needs }) => {
      await submit(dependencies, job, { type: "work.suspended", runId, question, needs });
      return "suspended";
    },
    fail: (error) => submit(dependencies, job, { type: "work.failed", runId, error, attempts, final: false }),
  };
}

/** The queue has given up on a run's work: the run ends, and its status comment says so. */
export async function giveUpWork(
  { store, makeId, now }: InputDependencies,
  { runId, subject }: JobPayload<"implement">,
  { error, attempts }: DeadJob,
): Promise<void> {
  const input = { type: "work.failed", runId, subject, attempts, error: errorFacts(error), final: true } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() });
}

async function readRunState({ store }: WorkDependencies, { runId }: WorkJob): Promise<Implementation | undefined> {
  return replayImplementation(await readEvents(store, runId));
}

/** A run that begins looks at its issue and its repository; one that goes on has its snapshot, and only its gates may have run out of time. */
async function observe(dependencies: WorkDependencies, job: WorkJob): Promise<void> {
  const { host } = dependencies;
  const { subject, runId, attempt, signal } = job;
  const run = await readRunState(dependencies, job);
  if (!run) return;
  const observed = { type: "work.observed", runId, attempt } as const;
  if (run.configuration && run.base) {
    const { configuration, base } = run;
    // What GitHub told may have been lost: look first whether the pull request is still there.
    await seePull(dependencies, job, run);
    await submit(dependencies, job, { ...observed, open: true, configuration, base });
    return;
  }
  const issue = await host.readIssue(subject, signal);
  const base = issue && (await host.readBranchHead(subject.repository, undefined, signal));
  if (!issue || !base) {
    await submit(dependencies, job, { type: "subject.gone", reason: "repository_gone" });
    return;
  }
  const { value: configuration } = await loadConfiguration(dependencies, subject.repository, signal);
  const evidence = await readEvidence(dependencies.store, subject);
  const where = evidence?.of === "feedback" ? evidence.standing.environment : undefined;
  const faultIn = where !== undefined && configuration.deploy[where] ? where : undefined;
  await submit(dependencies, job, { ...observed, open: issue.open, configuration, base, ...defined({ faultIn }) });
}

/** The work of a phase; what it came to it tells as an input. */
type PhaseWork = (dependencies: WorkDependencies, job: WorkJob, run: Implementation) => Promise<void>;

/** The work of each phase: a new one needs a row here, and one in the definition. */
const PHASE_WORK: Partial<Readonly<Record<Phase, PhaseWork>>> = {
  planning: makePlan,
  implementation: carryOut,
  review: reviewPull,
  testing: testPull,
  deployment: awaitRelease,
};

async function doNext(dependencies: WorkDependencies, job: WorkJob, run: Implementation): Promise<void> {
  const next = nextWork(run);
  switch (next.is) {
    case "phase":
      return PHASE_WORK[next.phase]?.(dependencies, job, run);
    case "join":
      return joinBranch(dependencies, job, run);
    case "read":
      return readSignal(dependencies, job, run, next.signal);
    case "look":
      return lookAtPull(dependencies, job, run);
    case "nothing":
      return;
  }
}

/** The worker's next step for a run. */
type NextWork =
  /** The work of the phase that the run is in. */
  | { readonly is: "phase"; readonly phase: Phase }
  | { readonly is: "join" | "look" }
  | { readonly is: "read"; readonly signal: PullSignal }
  /** People, CI or GitHub have the word. */
  | { readonly is: "nothing" };

/** The next step of a run that a worker has taken up: pure, from its state. */
export function nextWork(run: Implementation, pipeline = PIPELINES.implement): NextWork {
  if (!ownsIssue(run) || run.stopped || openGates(run).length > 0) return { is: "nothing" };
  if (run.status === "waiting") {
    const [signal] = run.signals;
    return signal ? { is: "read", signal } : { is: "look" };
  }
  const { phase } = run;
  if (phase === undefined) return { is: "nothing" };
  if (phase === pipeline.work) {
    if (run.toJoin !== undefined) return { is: "join" };
    return run.roundDone ? { is: "nothing" } : { is: "phase", phase };
  }
  const looksAtBranch = guardsOf(pipeline, phase).includes("work_pushed");
  const isPushed = run.toJoin === undefined && run.pushed === run.work?.headSha;
  return looksAtBranch && !isPushed ? { is: "nothing" } : { is: "phase", phase };
}

/** Reads what people or CI said about the pull request in full, and tells what there is to do about it (GH-5, GH-6). */
async function readSignal(
  dependencies: WorkDependencies,
  job: WorkJob,
  run: Implementation,
  said: PullSignal,
): Promise<void> {
  const feedback = await feedbackOf(dependencies, job, run, said);
  await submit(dependencies, job, { type: "signal.read", runId: run.runId, signal: said, feedback });
}

async function feedbackOf(
  { host, store }: WorkDependencies,
  { signal, subject }: WorkJob,
  { pull }: Implementation,
  said: PullSignal,
): Promise<readonly Feedback[]> {
  if (!pull) return [];
  const { repository } = subject;
  switch (said.from) {
    case "ci":
      return host.readCiFeedback(repository, said, signal);
    case "person": {
      const read = await host.readReviewFeedback(repository, { pull: pull.number, reviewId: said.reviewId }, signal);
      // Only those who may push have work done for them.
      return read && atLeast(read.role, "write") ? read.feedback : [];
    }
    case "findings": {
      const open = (await readLedger(store, pullSubject(subject, pull.number))).filter(isOpen);
      const wanted =
        said.findings.length === 0
          ? open.filter(({ finding }) => finding.severity !== "info")
          : said.findings.flatMap((written) => {
              const found = findTarget(open, { name: "fix", finding: written }, undefined);
              return "finding" in found ? [found] : [];
            });
      return wanted.map(toFeedback);
    }
  }
}
