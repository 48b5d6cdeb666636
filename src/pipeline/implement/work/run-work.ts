import { errorFacts } from "../../../domain/errors.ts";
import type { JobPayload } from "../../../domain/jobs.ts";
import type { DeadJob, JobContext } from "../../../queue/ports.ts";
import { readEvents } from "../../../store/read-events.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { type HandleInputPorts, handleInput } from "../../runs/handle-input.ts";
import { type PhaseOfJob, runPhase } from "../../runs/run-phase.ts";
import { replayImplementation } from "../evolve.ts";
import type { Implementation } from "../implementation.ts";
import { carryOut } from "./carry-out.ts";
import { joinBranch } from "./join-branch.ts";
import { lookAtPull, seePull } from "./look-at-pull.ts";
import { makePlan } from "./make-plan.ts";
import { nextWork } from "./next-work.ts";
import { readSignal } from "./read-signal.ts";
import { reviewPull } from "./review-pull.ts";
import { testPull } from "./test-pull.ts";
import { createTreeShelf } from "./tree-shelf.ts";
import { tell, type WorkJob, type WorkPowers } from "./work-job.ts";

/**
 * Does for a run on an issue what comes next, phase by phase, until people, CI or GitHub have the word. Every result is an input, so a
 * worker that dies in between leaves a run that the next one takes up (PIPE-7).
 */
export async function runWork(
  powers: WorkPowers,
  { runId, subject }: JobPayload<"implement">,
  { attempt, signal, fence }: JobContext,
): Promise<void> {
  await using shelf = createTreeShelf();
  const job: WorkJob = { runId, subject, attempt, signal, fence, shelf };
  await runPhase(phaseOf(powers, job, () => observe(powers, job)));
  for (let before = -1; ; ) {
    signal.throwIfAborted();
    const run = await readRunState(powers, job);
    // What came to nothing would come to nothing again.
    if (!run || run.version === before) return;
    before = run.version;
    await runPhase(phaseOf(powers, job, () => doNext(powers, job, run)));
  }
}

function phaseOf(powers: WorkPowers, job: WorkJob, run: () => Promise<void>): PhaseOfJob {
  const { runId, signal, attempt: attempts } = job;
  return {
    ...{ signal, now: powers.now, run },
    park: (until, message) => tell(powers, job, { type: "work.parked", runId, until, message }),
    suspend: async ({ question, needs }) => {
      await tell(powers, job, { type: "work.suspended", runId, question, needs });
      return "suspended";
    },
    fail: (error) => tell(powers, job, { type: "work.failed", runId, error, attempts, final: false }),
  };
}

/** The queue has given up on a run's work: the run ends, and its status comment says so. */
export async function giveUpWork(
  { store, makeId, now }: HandleInputPorts & { readonly now: () => string },
  { runId, subject }: JobPayload<"implement">,
  { error, attempts }: DeadJob,
): Promise<void> {
  const input = { type: "work.failed", runId, subject, attempts, error: errorFacts(error), final: true } as const;
  await handleInput({ store, makeId }, { ...input, at: now(), newRunId: makeId() });
}

async function readRunState({ store }: WorkPowers, { runId }: WorkJob): Promise<Implementation | undefined> {
  return replayImplementation(await readEvents(store, runId));
}

/** A run that begins looks at its issue and its repository; one that goes on has its snapshot, and only its gates may have run out of time. */
async function observe(powers: WorkPowers, job: WorkJob): Promise<void> {
  const { host } = powers;
  const { subject, runId, attempt, signal } = job;
  const run = await readRunState(powers, job);
  if (!run) return;
  const observed = { type: "work.observed", runId, attempt } as const;
  if (run.configuration && run.base) {
    const { configuration, base } = run;
    // What GitHub told may have been lost: whoever takes a run up looks first whether its pull request is still there.
    await seePull(powers, job, run);
    await tell(powers, job, { ...observed, open: true, configuration, base });
    return;
  }
  const issue = await host.readIssue(subject, signal);
  const base = issue && (await host.readBranchHead(subject.repository, undefined, signal));
  if (!issue || !base) {
    await tell(powers, job, { type: "subject.gone", reason: "repository_gone" });
    return;
  }
  const { value: configuration } = await loadConfiguration(powers, subject.repository, signal);
  await tell(powers, job, { ...observed, open: issue.open, configuration, base });
}

async function doNext(powers: WorkPowers, job: WorkJob, run: Implementation): Promise<void> {
  const next = nextWork(run);
  switch (next.is) {
    case "plan":
      return makePlan(powers, job, run);
    case "join":
      return joinBranch(powers, job, run);
    case "implement":
      return carryOut(powers, job, run);
    case "review":
      return reviewPull(powers, job, run);
    case "test":
      return testPull(powers, job, run);
    case "read":
      return readSignal(powers, job, run, next.signal);
    case "look":
      return lookAtPull(powers, job, run);
    case "nothing":
      return;
  }
}
