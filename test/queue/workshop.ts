import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import { JOBS } from "../../src/app/jobs.ts";
import type { JobKind, JobPayload, NewJob } from "../../src/domain/jobs.ts";
import type { DeadJob, JobContext, JobTable } from "../../src/queue/ports.ts";
import { startWorker, type Worker, type WorkerOptions } from "../../src/queue/worker.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { decision, pullRequest } from "../store/fixtures.ts";
import { manualClock } from "./manual-clock.ts";

/**
 * A store on a temporary file, a clock that stands and workers on them. After each test everything is stopped, and the test fails when a
 * timer, a listener or a claim is left.
 */
export function workshop() {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });

  return async () => {
    const folder = mkdtempSync(join(tmpdir(), "forge-queue-"));
    const store = await openStore({ url: `file:${join(folder, "forge.db")}` });
    const clock = manualClock();
    const workers: Worker[] = [];
    const dead: (DeadJob & { kind: JobKind })[] = [];
    const logged: string[] = [];
    const note = (facts: object, message: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);

    endings.push(async () => {
      const stopped = Promise.all(workers.map((worker) => worker.stop({ graceMs: 0 })));
      await clock.advance(10);
      await stopped;
      expect(clock.timers(), "timers left").toBe(0);
      expect(store.jobListeners.size, "listeners left").toBe(0);
      await closeStore(store);
      rmSync(folder, { recursive: true });
    });
    const giveUp = async (kind: JobKind, job: DeadJob) => void dead.push({ kind, ...job });
    const start = ({ handlers, giveUp: give = giveUp, ...options }: Start): Worker => {
      const rows = Object.entries(handlers).map(([kind, handler]) => [
        kind,
        {
          ...JOBS[kind as JobKind],
          run: (_: unknown, payload: never, context: JobContext) => handler(payload, context),
          giveUp: (_: unknown, _payload: unknown, job: DeadJob) => give(kind as JobKind, job),
        },
      ]);
      const worker = startWorker({
        store,
        clock,
        log: { warn: note, error: note },
        jobs: Object.fromEntries(rows) as JobTable<undefined>,
        dependencies: undefined,
        ...options,
      });
      workers.push(worker);
      return worker;
    };
    const add = (...jobs: NewJob[]) => addJobs(store, jobs);
    return { store, clock, start, add, dead, logged };
  };
}

type Start = Partial<Omit<WorkerOptions<undefined>, "jobs">> & {
  readonly handlers: { readonly [K in JobKind]?: (payload: JobPayload<K>, context: JobContext) => Promise<void> };
  readonly giveUp?: (kind: JobKind, job: DeadJob) => Promise<void>;
};

function addJobs(store: Store, jobs: NewJob[]) {
  return commitDecision(store, decision({ appends: [], jobs }));
}

export function effects(key: string, runAt: string, number = 1): NewJob {
  return { kind: "effects", key, payload: { subject: pullRequest(number) }, runAt };
}

export function review(key: string, runAt: string): NewJob {
  return { kind: "review", key, payload: { runId: `run-${key}`, subject: pullRequest() }, runId: `run-${key}`, runAt };
}

/** A promise that is kept from outside. */
export function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** Resolves when the signal is aborted, with its reason. */
export function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener("abort", () => resolve(signal.reason));
  });
}
