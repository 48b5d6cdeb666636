import { errorFacts, ForgeError } from "../../../domain/errors.ts";
import { readEvents } from "../../../store/read-events.ts";
import { AwaitsPerson } from "../../ai/gatekeeper.ts";
import { loadConfiguration } from "../../runs/configuration/load-configuration.ts";
import { type HandleInputPorts, handleInput } from "../../runs/handle-input.ts";
import { whenAskedAgain } from "../../runs/when-asked-again.ts";
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
 * Does for a run on an issue what comes next, until people, CI or GitHub have the word. Every result is an input, so a worker that dies in
 * between leaves a run that the next one takes up (PIPE-7).
 * @returns when to try again, where somebody wants to be asked later
 */
export async function runWork(powers: WorkPowers, given: WorkJob): Promise<{ readonly retryAt: string } | undefined> {
  await using shelf = createTreeShelf();
  const job = { ...given, shelf };
  try {
    await observe(powers, job);
    for (let before = -1; ; ) {
      job.signal.throwIfAborted();
      const run = await readRunState(powers, job);
      // What came to nothing would come to nothing again.
      if (!run || run.version === before) return undefined;
      before = run.version;
      await doNext(powers, job, run);
    }
  } catch (error) {
    if (job.signal.aborted || isCode(error, "lease_lost")) throw error;
    if (isCode(error, "run_stopped")) return undefined;
    // Nothing is wrong: whoever was asked wants to be asked later.
    if (error instanceof ForgeError && (error.code === "github_unavailable" || error.code === "model_later")) {
      const until = whenAskedAgain(error, powers.now());
      if (error.code === "model_later") {
        await tell(powers, job, { type: "work.parked", runId: job.runId, until, message: error.message });
      }
      return { retryAt: until };
    }
    const { runId, attempt: attempts } = job;
    await tell(powers, job, { type: "work.failed", runId, error: errorFacts(error), attempts, final: false });
    throw error;
  }
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
  try {
    switch (next.is) {
      case "plan":
        return await makePlan(powers, job, run);
      case "join":
        return await joinBranch(powers, job, run);
      case "implement":
        return await carryOut(powers, job, run);
      case "review":
        return await reviewPull(powers, job, run);
      case "test":
        return await testPull(powers, job, run);
      case "read":
        return await readSignal(powers, job, run, next.signal);
      case "look":
        return await lookAtPull(powers, job, run);
      case "nothing":
        return;
    }
  } catch (error) {
    if (!(error instanceof AwaitsPerson)) throw error;
    const { question, needs } = error;
    await tell(powers, job, { type: "work.suspended", runId: run.runId, question, needs });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof ForgeError && error.code === code;
}

/** The queue has given up on a run's work: the run ends, and its status comment says so. */
export async function giveUpWork(
  powers: HandleInputPorts & { readonly now: () => string },
  job: Pick<WorkJob, "runId" | "subject"> & { readonly attempts: number; readonly error: unknown },
): Promise<void> {
  const { runId, subject, attempts } = job;
  const input = { type: "work.failed", runId, subject, attempts, error: errorFacts(job.error), final: true } as const;
  await handleInput(powers, { ...input, at: powers.now(), newRunId: powers.makeId() });
}
