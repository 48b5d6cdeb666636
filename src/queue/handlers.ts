import type { JobKind, NewJob } from "../domain/jobs.ts";
import type { ClaimedJob } from "../store/claim-job.ts";
import type { Fence } from "../store/fence.ts";

/** What a handler may say instead of being done. */
export interface JobOutcome {
  /** ISO 8601: when to run the job again. */
  readonly retryAt: string;
  /** Whether this counts towards the dead letter, as an error would; not by default. */
  readonly countsAsAttempt?: boolean;
}

export interface JobContext {
  /** Aborted with an AbortReason when the result will not be wanted. */
  readonly signal: AbortSignal;
  /** Counted from 1; above 1 an earlier try failed or its worker died. */
  readonly attempt: number;
  /** Goes with everything the handler writes. */
  readonly fence: Fence;
  readonly job: ClaimedJob;
}

/** `lost`: another worker has the job. `cancelled`: its run was cancelled. `shutdown`: the process ends and the job goes back. */
export type AbortReason = "lost" | "cancelled" | "shutdown";

type PayloadOf<K extends JobKind> = Extract<NewJob, { kind: K }>["payload"];

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that has nothing to say is a Promise<void>
type HandlerAnswer = JobOutcome | void;

/**
 * One function a kind of job. It may run more than once for the same job, never twice at a time for the same key. Throwing means: try
 * again, with growing pauses; a ForgeError that is not recoverable at all goes to the dead letters at once.
 */
export type Handlers = {
  readonly [K in JobKind]?: (payload: PayloadOf<K>, context: JobContext) => Promise<HandlerAnswer>;
};
