import type { JobKind, JobPayload } from "../domain/jobs.ts";
import type { ClaimedJob } from "../store/jobs/claim-job.ts";
import type { Fence } from "../store/jobs/fence.ts";

/*
 * The words of the queue.
 *
 * - **job**: a row that says what is to be done: a kind, a payload of references, a key. Jobs of one key never run at the same time.
 * - **lease**: a worker's claim on a job for a few seconds, renewed while it runs. Its token, the fence, goes with everything that is
 *   written, so that a worker that has lost the lease writes nothing more.
 *
 * The life of a job:
 *
 * - **added**: stored with the decision that wants it, in one transaction; it waits for its moment.
 * - **claimed**: a worker has the lease and runs it.
 * - **completed**: `run` returned; the row is gone.
 * - **put off**: `run` threw RetryLater: it was too early. The job waits for the time named and has not failed.
 * - **failed**: `run` threw anything else; the job waits 1 s, 10 s, a minute.
 * - **dead**: it failed for good or once too often, or workers died with it; `giveUp` was called, and it is not taken up again.
 *
 * A worker that dies leaves its job claimed until the lease runs out, and then the next one has it.
 */

/** `lost`: another worker has the job. `cancelled`: its run was cancelled. `shutdown`: the process ends and the job goes back. */
export type AbortReason = "lost" | "cancelled" | "shutdown";

/** The input of an attempt at a job. */
export interface JobContext {
  /** Aborted with an AbortReason when the result will not be wanted. */
  readonly signal: AbortSignal;
  /** Counted from 1; above 1 an earlier try failed or its worker died. */
  readonly attempt: number;
  /** Goes with everything that is written. */
  readonly fence: Fence;
  readonly job: ClaimedJob;
}

/** A dead job. */
export interface DeadJob {
  readonly error: unknown;
  /** How often it was tried. */
  readonly attempts: number;
  /** Workers that died one after the other while they had it, those that died telling people among them. */
  readonly deaths: number;
  /** Still holds. */
  readonly fence: Fence;
}

/** How one kind of job is done. */
export interface Job<K extends JobKind, Dependencies> {
  /** Long jobs leave slots free for short ones. */
  readonly takes: "moments" | "minutes";
  /** It comes in storms: it has half of the slots at most, and never two turns in a row while anything else is due (PROD-3). */
  readonly yields?: boolean;
  /** Nobody waits for it: it has one slot of its own, and none of the others. */
  readonly aside?: boolean;
  /**
   * It may run more than once for the same job, after a crash in the middle, too; never twice at a time for the same key. So whatever it
   * does must be safe to do again. Returning means that it is done. Throwing RetryLater means: not yet; any other error: try
   * again, unless it is a ForgeError that nothing can recover from.
   */
  readonly run: (dependencies: Dependencies, payload: JobPayload<K>, context: JobContext) => Promise<void>;
  /** Tells people that it is given up. It may be called again for the same job after a crash; what it throws is logged, and the job is dead anyway. */
  readonly giveUp: (dependencies: Dependencies, payload: JobPayload<K>, dead: DeadJob) => Promise<void>;
}

/** The kinds that a worker takes, each with how it is done. */
export type JobTable<Dependencies> = { readonly [K in JobKind]?: Job<K, Dependencies> };

/** The logger of the queue; pino fits. */
export interface QueueLog {
  readonly warn: (facts: object, message: string) => void;
  readonly error: (facts: object, message: string) => void;
}

/** Time as the queue uses it; an argument, so that tests do not sleep. */
export interface Clock {
  readonly now: () => Date;
  /** Calls back once after `ms` milliseconds, unless cancelled by what it returns. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
