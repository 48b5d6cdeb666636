import { url as inspectorUrl } from "node:inspector";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { EXIT } from "../../cli/dispatch.ts";
import { CODE_ENDING } from "../../domain/code-ending.ts";
import type { Redact } from "../../safety/redact.ts";
import type { ClaimedJob } from "../../store/jobs/claim-job.ts";
import { jobFacts } from "./job-facts.ts";
import { BEATS, DEBUGGED, type Tidings, type WatchThreadData } from "./watch-protocol.ts";

/** Several for each tick of the thread. */
const BEAT_MS = 250;
/** Megabytes for objects of the thread. */
const THREAD_MIB = 16;

export interface WatchdogOptions {
  /** How long the main loop may hang, in seconds; above 0. */
  readonly seconds: number;
  readonly redact: Redact;
  readonly log: Logger;
}

export interface Watchdog {
  /** Has the job named if the process hangs while it runs. Returns what is to be called when the job has ended. */
  readonly watch: (job: ClaimedJob) => () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Has a thread of its own watch the main loop (OPS-7). When the loop did not turn for so long, the thread writes what was running and where
 * the code was, and ends the process with code 70. While a debugger is attached, it ends nothing.
 */
export function startWatchdog({ seconds, redact, log }: WatchdogOptions): Watchdog {
  const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const limit = Math.ceil(seconds);
  const workerData: WatchThreadData = { shared, limit, code: EXIT.hung, isSilent: log.level === "silent" };
  const worker = new Worker(new URL(`./watch-thread${CODE_ENDING}`, import.meta.url), {
    workerData,
    // None of the options of this process; and not the warning about WASI, by which it ends.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MIB },
  });
  worker.unref();
  // Without it Forge works as well as before, so its end is no reason to end Forge.
  worker.on("error", (err) => log.error({ err }, "the watchdog ended: a hang will not end this process"));
  const beat = () => {
    Atomics.add(shared, BEATS, 1);
    Atomics.store(shared, DEBUGGED, inspectorUrl() === undefined ? 0 : 1);
  };
  beat();
  const beating = setInterval(beat, BEAT_MS).unref();
  const tell = (tidings: Tidings) => worker.postMessage(tidings);
  let count = 0;
  return {
    watch: (job) => {
      count += 1;
      const number = count;
      tell({ began: number, job: jobFacts(job, redact) });
      return () => tell({ ended: number });
    },
    stop: async () => {
      clearInterval(beating);
      await worker.terminate();
    },
  };
}
