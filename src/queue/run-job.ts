import { defined } from "../domain/defined.ts";
import { errorFacts, ForgeError, RetryLater } from "../domain/errors.ts";
import { JOB_CATALOGUE, type JobKind, type JobPayload } from "../domain/jobs.ts";
import type { ClaimedJob } from "../store/jobs/claim-job.ts";
import type { Fence } from "../store/jobs/fence.ts";
import { buryJob, completeJob, extendLease, forgiveDeath, retryJob } from "../store/jobs/held-job.ts";
import type { Store } from "../store/store.ts";
import type { AbortReason, Clock, DeadJob, Job, JobContext, JobTable, QueueLog } from "./ports.ts";

/** Pauses after the first, second and any further failure. */
const BACKOFF_MS = [1_000, 10_000, 60_000] as const;

/** How long a job is put off where no time was named: people wait for short jobs. */
const LATER_MS = { moments: 5_000, minutes: 30_000 } as const;

/** Workers that lose a job, slow ones too: a job that goes from hand to hand and gets nowhere is stopped here. */
const MAX_LOST_LEASES = 5;

/**
 * A worker that dies is rarely the job's fault. Where a second one dies with the same job in its hands, and it came no further than the first,
 * it is not taken up a third time.
 */
const MAX_DEATHS = 2;

export interface RunJobOptions<Dependencies> {
  readonly store: Store;
  readonly jobs: JobTable<Dependencies>;
  readonly dependencies: Dependencies;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** How many failures make a dead letter. */
  readonly maxAttempts: number;
  readonly log: QueueLog;
}

export interface RunningJob {
  readonly job: ClaimedJob;
  /** Resolves when the job was completed, given back or buried; never rejects. */
  readonly done: Promise<void>;
  readonly abort: (reason: AbortReason) => void;
}

/** Walks a claimed job to its end, holding the lease meanwhile. */
export function runJob<Dependencies>(job: ClaimedJob, options: RunJobOptions<Dependencies>): RunningJob {
  const controller = new AbortController();
  const abort = (reason: AbortReason) => controller.abort(reason);
  const walk = async () => {
    const letGo = keepLease(job, { ...options, onEnd: abort });
    try {
      const found = findJob(job, options);
      await found.run({ signal: controller.signal, attempt: job.attempt, fence: fenceOf(job), job });
      if ((await completeJob(options.store, job)) === "lost") await forgiveDeath(options.store, job);
    } catch (error) {
      await settleFailure(job, error, controller.signal, options);
    } finally {
      letGo();
    }
  };
  const done = walk().catch((error: unknown) => {
    // Not even the failure could be written: the lease runs out and the job comes back.
    options.log.error({ ...factsOf(job), error: errorFacts(error) }, "job could not be settled");
  });
  return { job, done, abort };
}

interface FoundJob {
  readonly run: (context: JobContext) => Promise<void>;
  readonly giveUp: (dead: DeadJob) => Promise<void>;
}

/** @throws ForgeError `job_invalid` when the payload does not fit the kind */
function findJob<Dependencies>(job: ClaimedJob, { jobs, dependencies }: RunJobOptions<Dependencies>): FoundJob {
  const kind = job.kind as JobKind;
  const payload = JOB_CATALOGUE[kind].safeParse(job.payload);
  if (!payload.success) {
    throw new ForgeError("job_invalid", `The payload of the job ${job.key} does not fit its kind ${kind}.`, {
      source: "validation",
      severity: "high",
      recoverability: "none",
      cause: payload.error,
    });
  }
  // The schema and the row of the table are found by the same kind, which the compiler cannot follow.
  const { run, giveUp } = jobs[kind] as unknown as Job<JobKind, Dependencies>;
  const data = payload.data as JobPayload<JobKind>;
  return {
    run: async (context) => {
      refuseKiller(job);
      await run(dependencies, data, context);
    },
    giveUp: (dead) => giveUp(dependencies, data, dead),
  };
}

/** @throws ForgeError `set_aside` or `worker_killer` for a job with which too many workers died */
function refuseKiller({ deaths, lostLeases }: ClaimedJob): void {
  if (deaths >= MAX_DEATHS) {
    const times = deaths === 2 ? "twice" : `${deaths} times`;
    throw killer("set_aside", `Forge ended ${times} while at work on this: set aside`);
  }
  if (lostLeases > MAX_LOST_LEASES) {
    throw killer("worker_killer", `${lostLeases} workers died while they had this job.`);
  }
}

function killer(code: string, message: string): ForgeError {
  return new ForgeError(code, message, { source: "resource", severity: "high", recoverability: "none" });
}

async function settleFailure<Dependencies>(
  job: ClaimedJob,
  error: unknown,
  signal: AbortSignal,
  options: RunJobOptions<Dependencies>,
): Promise<void> {
  const { store, clock, log } = options;
  const message = errorFacts(error).message;
  const inMs = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();
  const reason = signal.aborted ? (signal.reason as AbortReason) : undefined;
  if (reason === "lost") {
    await forgiveDeath(store, job);
    return;
  }
  if (reason === "cancelled") {
    await completeJob(store, job);
    return;
  }
  if (reason === "shutdown") {
    await retryJob(store, job, { runAt: inMs(0), error: message, countsAsAttempt: false, stoppedEarly: true });
    return;
  }
  if (error instanceof RetryLater && !error.countsAsAttempt) {
    const put = await retryJob(store, job, { runAt: inMs(laterMs(error, job, options)), countsAsAttempt: false });
    if (put === "lost") await forgiveDeath(store, job);
    return;
  }
  if (errorFacts(error).recoverability === "none" || job.failures + 1 >= options.maxAttempts) {
    await bury(job, error, options);
    return;
  }
  const backoff = BACKOFF_MS[Math.min(job.failures, BACKOFF_MS.length - 1)]!;
  const runAt = inMs(error instanceof RetryLater ? laterMs(error, job, options) : backoff);
  log.warn({ ...factsOf(job), error: errorFacts(error), runAt }, "job failed, will be tried again");
  await retryJob(store, job, { runAt, error: message, countsAsAttempt: true });
}

function laterMs<Dependencies>(
  { afterMs }: RetryLater,
  { kind }: ClaimedJob,
  { jobs }: RunJobOptions<Dependencies>,
): number {
  return afterMs ?? LATER_MS[jobs[kind as JobKind]?.takes ?? "moments"];
}

async function bury<Dependencies>(
  job: ClaimedJob,
  error: unknown,
  options: RunJobOptions<Dependencies>,
): Promise<void> {
  const { store, clock, leaseMs, log } = options;
  // Who has lost the job must not report it dead: another worker may be finishing it.
  if ((await extendLease(store, job, clock.now().toISOString(), leaseMs)) === "lost") return;
  log.error({ ...factsOf(job), error: errorFacts(error) }, "job is dead");
  // What is set aside was claimed once more and not tried.
  const attempts = errorFacts(error).code === "set_aside" ? job.attempt - 1 : job.attempt;
  try {
    await findJob(job, options).giveUp({ error, attempts, deaths: job.deaths, fence: fenceOf(job) });
  } catch (thrown) {
    log.error({ ...factsOf(job), error: errorFacts(thrown) }, "reporting a dead job failed");
  }
  await buryJob(store, job, errorFacts(error).message);
}

function fenceOf({ id, token }: ClaimedJob): Fence {
  return { jobId: id, token };
}

function factsOf({ id, kind, key, runId, attempt }: ClaimedJob) {
  return { job: id, kind, key, ...defined({ traceId: runId }), attempt };
}

/**
 * Extends the lease of a job every third of its length until the returned function is called. `onEnd` hears once when the job is no longer
 * the worker's to finish.
 */
function keepLease(
  job: ClaimedJob,
  options: {
    readonly store: Store;
    readonly clock: Clock;
    readonly leaseMs: number;
    readonly log: QueueLog;
    readonly onEnd: (reason: AbortReason) => void;
  },
): () => void {
  const { store, clock, leaseMs, log, onEnd } = options;
  let leaseUntil = clock.now().getTime() + leaseMs;
  let stopped = false;
  let cancelTimer = () => {};

  const beat = async () => {
    const now = clock.now();
    try {
      const answer = await extendLease(store, job, now.toISOString(), leaseMs);
      if (stopped) return;
      if (answer === "lost") return onEnd("lost");
      leaseUntil = now.getTime() + leaseMs;
      // The lease is still kept: the handler needs a moment to stop, and no other may begin meanwhile.
      if (answer === "cancel_requested") onEnd("cancelled");
    } catch (error) {
      log.warn({ job: job.id, key: job.key, error: errorFacts(error) }, "lease could not be extended");
      if (clock.now().getTime() >= leaseUntil) return onEnd("lost");
    }
    schedule();
  };
  const schedule = () => {
    if (!stopped) cancelTimer = clock.after(leaseMs / 3, () => void beat());
  };

  schedule();
  return () => {
    stopped = true;
    cancelTimer();
  };
}
