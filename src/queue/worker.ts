import { randomUUID } from "node:crypto";
import { errorFacts } from "../domain/errors.ts";
import type { JobKind } from "../domain/jobs.ts";
import { type ClaimedJob, claimJob, nextRunAt } from "../store/jobs/claim-job.ts";
import { retryJob } from "../store/jobs/held-job.ts";
import type { Store } from "../store/store.ts";
import { onJobsAdded, onJobsCancelled } from "../store/subscribe.ts";
import { type Clock, type JobTable, type QueueLog, systemClock } from "./ports.ts";
import { type RunningJob, runJob } from "./run-job.ts";
import { turns } from "./turns.ts";

/** How long a handler may take to notice that it was aborted before its lease is given back over its head. */
const ABORT_MS = 1_000;
/** A due job may be another worker's by now. */
const LEAST_WAIT_MS = 10;
/** The pause after the store failed: waking up faster would not mend it. */
const TROUBLE_MS = 1_000;

export interface WorkerOptions<Dependencies> {
  readonly store: Store;
  readonly jobs: JobTable<Dependencies>;
  /** Dependencies of the jobs. */
  readonly dependencies: Dependencies;
  /** How many jobs at a time; 4. */
  readonly concurrency?: number;
  readonly clock?: Clock;
  /** 15 s: how long a job stays away when its worker dies. */
  readonly leaseMs?: number;
  /** 3 s: the safety net for wake-ups that were lost. */
  readonly pollMs?: number;
  /** 3. */
  readonly maxAttempts?: number;
  /** Called before a job runs; the function that it returns is called when the job has ended. */
  readonly watch?: (job: ClaimedJob) => () => void;
  readonly log: QueueLog;
}

export interface Worker {
  /**
   * Takes no more work, lets what runs finish for `graceMs`, then aborts it and gives its leases back (OPS-3). Resolves when nothing of the
   * worker is left.
   */
  readonly stop: (options: { readonly graceMs: number }) => Promise<void>;
}

/** Works off jobs until it is stopped: claim → run → complete, put off, try again or bury. */
export function startWorker<Dependencies>(options: WorkerOptions<Dependencies>): Worker {
  const { store, jobs, log, watch } = options;
  const { concurrency = 4, clock = systemClock, leaseMs = 15_000, pollMs = 3_000, maxAttempts = 3 } = options;
  const kinds = Object.keys(jobs) as JobKind[];
  const takesLong = (kind: JobKind) => jobs[kind]?.takes === "minutes";
  const yields = (kind: JobKind) => jobs[kind]?.yields === true;
  const aside = (kind: JobKind) => jobs[kind]?.aside === true;
  const workerId = randomUUID();
  const running = new Set<RunningJob>();
  const bell = createBell(clock);
  let stopping: Promise<void> | undefined;
  /** The kind that had the last turn. */
  let last: JobKind | undefined;

  // The jobs table is the truth: a wake-up may be lost, doubled or late.
  const offAdded = onJobsAdded(store, bell.ring);
  // Who cancels from another process is heard at the next sign of life.
  const offCancelled = onJobsCancelled(store, (runIds) => {
    for (const { job, abort } of running) if (job.runId && runIds.includes(job.runId)) abort("cancelled");
  });

  const claim = async (open: readonly JobKind[]) => {
    const now = clock.now().toISOString();
    const job = await claimJob(store, { workerId, now, leaseMs, kinds: open });
    if (job && stopping) await retryJob(store, job, { runAt: now, countsAsAttempt: false, stoppedEarly: true });
    return stopping ? undefined : job;
  };

  const start = (job: ClaimedJob) => {
    const hasEnded = watch?.(job);
    const work = runJob(job, { ...options, clock, leaseMs, maxAttempts });
    running.add(work);
    void work.done.then(() => {
      running.delete(work);
      hasEnded?.();
      bell.ring();
    });
  };

  /** Milliseconds until there may be something to claim; none or fewer when there is. */
  const untilDue = async (open: readonly JobKind[]) => {
    const next = open.length > 0 ? await nextRunAt(store, open) : undefined;
    if (next === undefined) return pollMs;
    return Math.min(pollMs, Date.parse(next) - clock.now().getTime() || 0);
  };

  const loop = async () => {
    while (!stopping) {
      try {
        bell.reset();
        let waitMs = pollMs;
        let job: Awaited<ReturnType<typeof claim>>;
        for (const open of turns(kinds, { takesLong, yields, aside }, countKinds(running), concurrency, last)) {
          // Most looks find nothing, and seeing that takes a quarter of a claim that gets nothing.
          waitMs = await untilDue(open);
          job = waitMs <= 0 && !stopping ? await claim(open) : undefined;
          if (job) break;
        }
        last = job ? (job.kind as JobKind) : last;
        if (job) start(job);
        else if (!stopping) await bell.wait(Math.max(LEAST_WAIT_MS, waitMs));
      } catch (error) {
        log.error({ error: errorFacts(error) }, "the queue could not be read");
        if (!stopping) await pause(clock, TROUBLE_MS);
      }
    }
  };
  const looping = loop();

  const stop = async (graceMs: number) => {
    bell.ring();
    await looping;
    offAdded();
    offCancelled();
    await finish(running, clock, graceMs);
    for (const work of running) work.abort("shutdown");
    await finish(running, clock, ABORT_MS);
    const runAt = clock.now().toISOString();
    for (const { job } of running) {
      log.warn({ job: job.id, key: job.key }, "job did not stop in time, its lease is given back");
      await retryJob(store, job, { runAt, countsAsAttempt: false, stoppedEarly: true });
    }
  };
  return {
    stop: ({ graceMs }) => {
      stopping ??= Promise.resolve().then(() => stop(graceMs));
      return stopping;
    },
  };
}

function countKinds(running: ReadonlySet<RunningJob>): Map<JobKind, number> {
  const counts = new Map<JobKind, number>();
  for (const { job } of running) counts.set(job.kind as JobKind, (counts.get(job.kind as JobKind) ?? 0) + 1);
  return counts;
}

/** Waits for all that runs, at most `ms`. */
async function finish(running: ReadonlySet<RunningJob>, clock: Clock, ms: number): Promise<void> {
  if (running.size === 0) return;
  const bell = createBell(clock);
  void Promise.all([...running].map(({ done }) => done)).then(bell.ring);
  await bell.wait(ms);
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** A wait that can be cut short; a ring that comes before the wait counts too. */
function createBell(clock: Clock) {
  let rung = false;
  let answer: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      answer?.();
    },
    reset: () => {
      rung = false;
    },
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        if (rung) return resolve();
        const cancel = clock.after(ms, () => answer?.());
        answer = () => {
          answer = undefined;
          cancel();
          resolve();
        };
      }),
  };
}
