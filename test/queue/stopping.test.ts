import { describe, expect, it } from "vitest";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { aborted, effects, gate, workshop } from "./workshop.ts";

describe("stopping a worker", () => {
  const open = workshop();

  it("OPS-3: lets what runs finish within the grace time, and takes nothing new", async () => {
    const { store, clock, start, add } = await open();
    const begun = gate();
    const end = gate();
    const done: string[] = [];
    const worker = start({
      concurrency: 1,
      handlers: {
        effects: async (_payload, { job }) => {
          begun.open();
          await end.passed;
          done.push(job.key);
        },
      },
    });
    await add(effects("k", clock.iso()), effects("next", clock.iso()));
    await begun.passed;
    const stopped = worker.stop({ graceMs: 10_000 });
    await clock.advance(5);
    end.open();
    await stopped;
    expect(done).toEqual(["k"]);
    expect(await countJobs(store)).toEqual({ queued: 1, running: 0, dead: 0 });
    expect(worker.stop({ graceMs: 0 })).toBe(stopped);
  });

  it("OPS-3: aborts what outlasts the grace time and gives it back at once, which is no failure", async () => {
    const { store, clock, start, add } = await open();
    const begun = gate();
    const reasons: unknown[] = [];
    const worker = start({
      handlers: {
        effects: async (_payload, { signal }) => {
          begun.open();
          reasons.push(await aborted(signal));
          throw new Error("aborted");
        },
      },
    });
    await add(effects("k", clock.iso()));
    await begun.passed;
    const stopped = worker.stop({ graceMs: 5_000 });
    await clock.advance(4);
    expect(reasons).toEqual([]);
    await clock.advance(2);
    await stopped;
    expect(reasons).toEqual(["shutdown"]);
    const heir = await claimJob(store, { workerId: "heir", now: clock.now().toISOString(), leaseMs: 1000 });
    expect(heir).toMatchObject({ key: "k", attempt: 1, failures: 0, lostLeases: 0 });
  });

  it("OPS-3: gives back even the job of a handler that does not listen, and fences it out", async () => {
    const { store, clock, start, add } = await open();
    const begun = gate();
    const end = gate();
    const worker = start({
      handlers: {
        effects: async () => {
          begun.open();
          await end.passed;
        },
      },
    });
    await add(effects("deaf", clock.iso()));
    await begun.passed;
    const stopped = worker.stop({ graceMs: 2_000 });
    await clock.advance(3.5);
    await stopped;
    const heir = await claimJob(store, { workerId: "heir", now: clock.now().toISOString(), leaseMs: 60_000 });
    expect(heir).toMatchObject({ key: "deaf", token: 2 });
    end.open();
    await clock.advance(1);
    expect(await countJobs(store)).toEqual({ queued: 0, running: 1, dead: 0 });
  });

  it("OPS-3: a job that it claims while it stops is free for the next worker at once, as if untouched", async () => {
    const { store, clock, start, add } = await open();
    await add(effects("late", clock.iso()));
    const claimed = gate();
    const together: typeof store.queue.together = async (statements) => {
      const results = await store.queue.together(statements);
      void worker.stop({ graceMs: 60_000 });
      claimed.open();
      return results;
    };
    const slow = { ...store, queue: { ...store.queue, together } };
    const ran: string[] = [];
    const worker = start({ store: slow, handlers: { effects: async (_, { job }) => void ran.push(job.key) } });
    await claimed.passed;
    await worker.stop({ graceMs: 60_000 });
    expect(ran).toEqual([]);
    const heir = await claimJob(store, { workerId: "heir", now: clock.now().toISOString(), leaseMs: 1000 });
    expect(heir).toMatchObject({ key: "late", attempt: 1, failures: 0, lostLeases: 0 });
  });

  it("an idle worker stops at once", async () => {
    const { clock, start } = await open();
    const worker = start({ handlers: { effects: async () => {} } });
    await clock.advance(1);
    await worker.stop({ graceMs: 60_000 });
    expect(clock.timers()).toBe(0);
  });
});
