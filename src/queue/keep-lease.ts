import { errorFacts } from "../domain/errors.ts";
import type { ClaimedJob } from "../store/jobs/claim-job.ts";
import { extendLease } from "../store/jobs/held-job.ts";
import type { Store } from "../store/store.ts";
import type { AbortReason, Clock, QueueLog } from "./ports.ts";

/**
 * Extends the lease of a job every third of its length until the returned function is called. `onEnd` hears once when the job is no longer
 * the worker's to finish.
 */
export function keepLease(
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
      // The lease is still kept: the handler needs a moment to stop, and nobody else may begin meanwhile.
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
