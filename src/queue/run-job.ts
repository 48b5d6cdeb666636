import { errorFacts, ForgeError } from "../domain/errors.ts";
import { JOB_CATALOGUE, type JobKind } from "../domain/jobs.ts";
import { buryJob } from "../store/bury-job.ts";
import type { ClaimedJob } from "../store/claim-job.ts";
import { completeJob, type Release } from "../store/complete-job.ts";
import { extendLease } from "../store/extend-lease.ts";
import { forgiveDeath } from "../store/forgive-death.ts";
import { retryJob } from "../store/retry-job.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { AbortReason, Handlers, JobContext, JobOutcome } from "./handlers.ts";
import { keepLease } from "./keep-lease.ts";
import type { QueueLog } from "./queue-log.ts";

/** Pauses after the first, second and any further failure. */
const BACKOFF_MS = [1_000, 10_000, 60_000] as const;

/** Workers that lose a job, slow ones too: a job that goes from hand to hand and gets nowhere is stopped here. */
const MAX_LOST_LEASES = 5;

/** A worker that dies is rarely the job's fault. Where a second one dies with the same job in its hands, nobody takes it up a third time. */
const MAX_DEATHS = 2;

/**
 * What costs more to set aside: writes that GitHub may have half of, a webhook and a command, which take a moment and stand beside whatever
 * else is at work, and work of an hour, whose steps are minutes apart.
 */
const MAX_DEATHS_OF: Partial<Record<JobKind, number>> = { effects: 3, delivery: 4, command: 4, implement: 4 };

export interface RunJobOptions {
  readonly store: Store;
  readonly handlers: Handlers;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** How many failures make a dead letter. */
  readonly maxAttempts: number;
  /** Called before a job becomes a dead letter, while its fence still holds; may be called again for the same job after a crash. */
  readonly onDead: (job: ClaimedJob, error: unknown) => Promise<void>;
  readonly log: QueueLog;
}

export interface RunningJob {
  readonly job: ClaimedJob;
  /** Resolves when the job was completed, given back or buried; never rejects. */
  readonly done: Promise<void>;
  readonly abort: (reason: AbortReason) => void;
}

/** Walks a claimed job through its handler to its end, holding the lease meanwhile. */
export function runJob(job: ClaimedJob, options: RunJobOptions): RunningJob {
  const controller = new AbortController();
  const abort = (reason: AbortReason) => controller.abort(reason);
  const walk = async () => {
    const letGo = keepLease(job, { ...options, onEnd: abort });
    try {
      const outcome = await callHandler(job, options.handlers, controller.signal);
      if ((await settle(job, outcome, options)) === "lost") await forgiveDeath(options.store, job);
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

async function callHandler(job: ClaimedJob, handlers: Handlers, signal: AbortSignal): Promise<JobOutcome | undefined> {
  if (job.deaths >= (MAX_DEATHS_OF[job.kind as JobKind] ?? MAX_DEATHS)) {
    const times = job.deaths === 2 ? "twice" : `${job.deaths} times`;
    throw new ForgeError("set_aside", `Forge ended ${times} while at work on this: set aside`, {
      source: "resource",
      severity: "high",
      recoverability: "none",
    });
  }
  if (job.lostLeases > MAX_LOST_LEASES) {
    throw new ForgeError("worker_killer", `${job.lostLeases} workers died while they had this job.`, {
      source: "resource",
      severity: "high",
      recoverability: "none",
    });
  }
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
  // The schema and the handler are found by the same kind, which the compiler cannot follow.
  const handler = handlers[kind] as (payload: unknown, context: JobContext) => Promise<JobOutcome | undefined>;
  return handler(payload.data, { signal, attempt: job.attempt, fence: { jobId: job.id, token: job.token }, job });
}

async function settle(job: ClaimedJob, outcome: JobOutcome | undefined, options: RunJobOptions): Promise<Release> {
  if (!outcome) return completeJob(options.store, job);
  const countsAsAttempt = outcome.countsAsAttempt ?? false;
  if (countsAsAttempt && job.failures + 1 >= options.maxAttempts) {
    throw new ForgeError("attempts_used_up", `The job ${job.key} asked to be run again once too often.`, {
      source: "logic",
      recoverability: "none",
    });
  }
  return retryJob(options.store, job, { runAt: outcome.retryAt, countsAsAttempt });
}

async function settleFailure(
  job: ClaimedJob,
  error: unknown,
  signal: AbortSignal,
  options: RunJobOptions,
): Promise<void> {
  const { store, clock, log } = options;
  const message = errorFacts(error).message;
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
    await retryJob(store, job, {
      runAt: clock.now().toISOString(),
      error: message,
      countsAsAttempt: false,
      stoppedEarly: true,
    });
    return;
  }
  if (errorFacts(error).recoverability === "none" || job.failures + 1 >= options.maxAttempts) {
    await bury(job, error, options);
    return;
  }
  const pause = BACKOFF_MS[Math.min(job.failures, BACKOFF_MS.length - 1)]!;
  const runAt = new Date(clock.now().getTime() + pause).toISOString();
  log.warn({ ...factsOf(job), error: errorFacts(error), runAt }, "job failed, will be tried again");
  await retryJob(store, job, { runAt, error: message, countsAsAttempt: true });
}

async function bury(job: ClaimedJob, error: unknown, options: RunJobOptions): Promise<void> {
  const { store, clock, leaseMs, log } = options;
  // Who has lost the job must not report it dead: another worker may be finishing it.
  if ((await extendLease(store, job, clock.now().toISOString(), leaseMs)) === "lost") return;
  log.error({ ...factsOf(job), error: errorFacts(error) }, "job is dead");
  try {
    await options.onDead(job, error);
  } catch (thrown) {
    log.error({ ...factsOf(job), error: errorFacts(thrown) }, "reporting a dead job failed");
  }
  await buryJob(store, job, errorFacts(error).message);
}

function factsOf({ id, kind, key, runId, attempt }: ClaimedJob) {
  return { job: id, kind, key, ...(runId === undefined ? {} : { traceId: runId }), attempt };
}
