import { describe, expect, it } from "vitest";
import { ForgeError, RetryLater } from "../../src/domain/errors.ts";
import { numberOf } from "../../src/domain/subjects.ts";
import { cancelJobsOfRuns, commitDecision } from "../../src/store/commit-decision.ts";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { passMark } from "../../src/store/jobs/fence.ts";
import { forgiveDeath, retryJob } from "../../src/store/jobs/held-job.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { decision, happened } from "../store/fixtures.ts";
import { listDeadJobs } from "../store/list-dead-jobs.ts";
import { until } from "./manual-clock.ts";
import { aborted, effects, gate, review, workshop } from "./workshop.ts";

const NOTHING = { queued: 0, running: 0, dead: 0 };

describe("a worker", () => {
  const open = workshop();

  it("does a job as soon as it is stored, without time passing", async () => {
    const { store, clock, start } = await open();
    const done: string[] = [];
    start({
      handlers: {
        delivery: async ({ deliveryId }, { attempt, fence, job }) => {
          done.push(`${deliveryId} ${attempt} ${fence.token} ${fence.jobId === job.id}`);
        },
      },
    });
    await clock.advance(0);
    await acceptDelivery(store, { guid: "d-1", event: "push", receivedAt: clock.iso(), body: Buffer.from("{}") });
    await until(() => done.length === 1);
    expect(done).toEqual(["d-1 1 1 true"]);
    await clock.advance(0);
    expect(await countJobs(store)).toEqual(NOTHING);
  });

  it("does a job at its moment", async () => {
    const { clock, start, add } = await open();
    const done: string[] = [];
    start({ handlers: { effects: async (_payload, { job }) => void done.push(job.key) } });
    await add(effects("later", clock.iso(2)), effects("sooner", clock.iso(1)));
    await clock.advance(0.9);
    expect(done).toEqual([]);
    await clock.advance(0.2);
    expect(done).toEqual(["sooner"]);
    await clock.advance(1);
    expect(done).toEqual(["sooner", "later"]);
  });

  it("finds by itself what nobody told it of", async () => {
    const { store, clock, start, add } = await open();
    const done: string[] = [];
    start({ handlers: { effects: async (_payload, { job }) => void done.push(job.key) } });
    await clock.advance(0);
    // Another process has stored it: no listener of this one hears.
    const listeners = [...store.jobListeners];
    store.jobListeners.clear();
    await add(effects("quiet", clock.iso()));
    for (const listener of listeners) store.jobListeners.add(listener);
    await clock.advance(2.9);
    expect(done).toEqual([]);
    await clock.advance(0.2);
    expect(done).toEqual(["quiet"]);
  });

  it("does jobs of one key one at a time and in order, others beside them", async () => {
    const { clock, start, add } = await open();
    const steps: string[] = [];
    const first = gate();
    start({
      handlers: {
        effects: async ({ subject }, { job }) => {
          steps.push(`${job.key}${numberOf(subject)} begins`);
          if (numberOf(subject) === 1) await first.passed;
          steps.push(`${job.key}${numberOf(subject)} ends`);
        },
      },
    });
    await add(effects("k", clock.iso(), 1), effects("k", clock.iso(), 2), effects("other", clock.iso(), 3));
    await until(() => steps.includes("other3 ends"));
    await clock.advance(1);
    expect(steps).toEqual(["k1 begins", "other3 begins", "other3 ends"]);
    first.open();
    await until(() => steps.length === 6);
    expect(steps.slice(3)).toEqual(["k1 ends", "k2 begins", "k2 ends"]);
  });

  it("keeps room for deliveries and effects beside long reviews", async () => {
    const { store, clock, start, add } = await open();
    const begun: string[] = [];
    const end = gate();
    start({
      concurrency: 4,
      handlers: {
        delivery: async ({ deliveryId }) => void begun.push(deliveryId),
        effects: async (_payload, { job }) => void begun.push(job.key),
        review: async (_payload, { job }) => {
          begun.push(job.key);
          await end.passed;
        },
      },
    });
    await add(...["r1", "r2", "r3", "r4", "r5"].map((key) => review(key, clock.iso())));
    await until(() => begun.length === 3);
    await add(effects("e", clock.iso()));
    await acceptDelivery(store, { guid: "d", event: "push", receivedAt: clock.iso(), body: Buffer.from("{}") });
    await until(() => begun.length === 5);
    expect(begun).toEqual(["r1", "r2", "r3", "e", "d"]);
    end.open();
    await until(() => begun.length === 7);
  });

  it("tries again after 1 s and 10 s, and makes a dead letter of the third failure", async () => {
    const { store, clock, start, add, dead } = await open();
    const tries: string[] = [];
    start({
      handlers: {
        effects: async (_payload, { attempt }) => {
          tries.push(`${attempt} at ${(clock.now().getTime() - Date.parse(clock.iso())) / 1000}`);
          throw new Error("the handler has a bug");
        },
      },
    });
    await add(effects("k", clock.iso()));
    await clock.advance(0.9);
    expect(tries).toEqual(["1 at 0"]);
    await clock.advance(10);
    expect(tries).toEqual(["1 at 0", "2 at 1"]);
    await clock.advance(60);
    expect(tries).toEqual(["1 at 0", "2 at 1", "3 at 11"]);
    expect(dead).toMatchObject([{ kind: "effects", attempts: 3, error: { message: "the handler has a bug" } }]);
    expect(await listDeadJobs(store)).toMatchObject([{ key: "k", error: "the handler has a bug" }]);
  });

  it("does not try again what can never work, nor what it cannot read", async () => {
    const { store, clock, start, add, dead, logged } = await open();
    start({
      handlers: {
        effects: () =>
          Promise.reject(new ForgeError("gone", "It is gone.", { source: "validation", recoverability: "none" })),
        review: async () => {},
      },
    });
    await add(effects("never", clock.iso()));
    await store.queue.alone([
      {
        sql: "insert into jobs (kind, key, payload, priority, run_at, state) values ('review', 'odd', '{}', 0, ?, 'queued')",
        args: [clock.iso()],
      },
    ]);
    await clock.advance(4);
    expect(dead.map(({ kind, error }) => [kind, (error as ForgeError).code])).toEqual([["effects", "gone"]]);
    expect((await listDeadJobs(store)).map(({ key }) => key).sort()).toEqual(["never", "odd"]);
    expect(logged.join("\n")).toContain("The payload of the job odd does not fit its kind review.");
  });

  it("lives on when a handler or the report of a dead job is broken", async () => {
    const { clock, start, add, logged } = await open();
    const done: string[] = [];
    start({
      handlers: {
        effects: (_payload, { job }) => {
          if (job.key === "bad") throw new TypeError("thrown, not rejected");
          done.push(job.key);
          return Promise.resolve();
        },
      },
      maxAttempts: 1,
      giveUp: () => Promise.reject(new Error("cannot report")),
    });
    await add(effects("bad", clock.iso()), effects("good", clock.iso()));
    await until(() => done.length === 1);
    await clock.advance(1);
    expect(logged.join("\n")).toContain("reporting a dead job failed");
  });

  it("puts a job off as often as it throws RetryLater, which is no failure", async () => {
    const { store, clock, start, add, dead, logged } = await open();
    const tries: string[] = [];
    start({
      handlers: {
        effects: async (_payload, { attempt }) => {
          tries.push(`${attempt} at ${(clock.now().getTime() - Date.parse(clock.iso())) / 1000}`);
          if (tries.length < 5) throw new RetryLater("busy", "It is too early.", { source: "network", afterMs: 7_000 });
        },
      },
    });
    await add(effects("k", clock.iso()));
    await clock.advance(40);
    expect(tries).toEqual(["1 at 0", "1 at 7", "1 at 14", "1 at 21", "1 at 28"]);
    expect([dead, logged]).toEqual([[], []]);
    expect(await countJobs(store)).toEqual(NOTHING);
  });

  it("puts a job off for 5 s where no time is named, and for 30 s what takes minutes", async () => {
    const { clock, start, add } = await open();
    const tries: string[] = [];
    const tooEarly = async (_payload: unknown, { job }: { readonly job: { readonly key: string } }) => {
      tries.push(`${job.key} at ${(clock.now().getTime() - Date.parse(clock.iso())) / 1000}`);
      if (tries.length < 4) throw new RetryLater("busy", "It is too early.", { source: "network" });
    };
    start({ handlers: { effects: tooEarly, review: tooEarly } });
    await add(effects("short", clock.iso()), review("long", clock.iso()));
    await clock.advance(40);
    expect(tries.toSorted()).toEqual(["long at 0", "long at 30", "short at 0", "short at 10", "short at 5"]);
  });

  it("counts what is put off as a failure where it says so, and gives it up when that happens too often", async () => {
    const { clock, start, add, dead } = await open();
    const tooEarly = new RetryLater("busy", "It is too early.", { source: "network", afterMs: 2_000 });
    start({ handlers: { effects: () => Promise.reject(tooEarly.counted()) } });
    await add(effects("k", clock.iso()));
    await clock.advance(3);
    expect(dead).toEqual([]);
    await clock.advance(2);
    expect(dead).toMatchObject([{ attempts: 3, error: { code: "busy" } }]);
  });

  it("keeps the lease of a long job", async () => {
    const { store, clock, start, add } = await open();
    const end = gate();
    const begun = gate();
    start({
      handlers: {
        effects: () => {
          begun.open();
          return end.passed;
        },
      },
    });
    await add(effects("k", clock.iso()));
    await begun.passed;
    await clock.advance(60);
    const rival = await claimJob(store, { workerId: "rival", now: clock.now().toISOString(), leaseMs: 1000 });
    expect(rival).toBeUndefined();
    end.open();
    await clock.advance(1);
    expect(await countJobs(store)).toEqual(NOTHING);
  });

  it("PIPE-7: takes over the job of a worker that died, and what that one still writes is refused", async () => {
    const { store, clock, start, add } = await open();
    await add(effects("k", clock.iso()));
    const ghost = await claimJob(store, { workerId: "ghost", now: clock.iso(), leaseMs: 15_000 });
    const attempts: number[] = [];
    start({ handlers: { effects: async (_payload, { attempt }) => void attempts.push(attempt) } });
    await clock.advance(14);
    expect(attempts).toEqual([]);
    await clock.advance(2);
    expect(attempts).toEqual([2]);
    const late = decision({ fence: { jobId: ghost!.id, token: ghost!.token } });
    await expect(commitDecision(store, late)).rejects.toMatchObject({ code: "lease_lost" });
  });

  it("PIPE-7: aborts a job that it has lost and does not touch it any more", async () => {
    const { store, clock, start, add, logged } = await open();
    const reasons: unknown[] = [];
    const begun = gate();
    start({
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
    // The process was stopped for a while, and somebody else took the job.
    const later = clock.iso(16);
    const heir = await claimJob(store, { workerId: "heir", now: later, leaseMs: 60_000 });
    expect(heir?.token).toBe(2);
    await clock.advance(6);
    expect(reasons).toEqual(["lost"]);
    expect(logged).toEqual([]);
    expect(await countJobs(store)).toEqual({ queued: 0, running: 1, dead: 0 });
  });

  it("PIPE-7: does not report a job dead that another worker has by now", async () => {
    const { store, clock, start, add, dead } = await open();
    const begun = gate();
    const end = gate();
    start({
      maxAttempts: 1,
      handlers: {
        effects: async () => {
          begun.open();
          await end.passed;
          throw new Error("too late");
        },
      },
    });
    await add(effects("k", clock.iso()));
    await begun.passed;
    await claimJob(store, { workerId: "heir", now: clock.iso(16), leaseMs: 60_000 });
    end.open();
    await clock.advance(1);
    expect(dead).toEqual([]);
    expect(await countJobs(store)).toEqual({ queued: 0, running: 1, dead: 0 });
  });

  it("stops a job whose run was cancelled, and drops it", async () => {
    const { store, clock, start, add, dead } = await open();
    const reasons: unknown[] = [];
    const begun = gate();
    start({
      handlers: {
        review: async (_payload, { signal }) => {
          begun.open();
          reasons.push(await aborted(signal));
          throw new Error("aborted");
        },
      },
    });
    await add(review("k", clock.iso()));
    await begun.passed;
    // By another process, so that this one hears of it when it renews its lease.
    await store.queue.alone(cancelJobsOfRuns(["run-k"]));
    await clock.advance(6);
    expect(reasons).toEqual(["cancelled"]);
    expect(dead).toEqual([]);
    expect(await countJobs(store)).toEqual(NOTHING);
  });

  it("GH-3: stops a job at once whose run is cancelled in the same process, and no other", async () => {
    const { store, clock, start, add } = await open();
    const reasons: unknown[] = [];
    const begun = [gate(), gate()];
    start({
      handlers: {
        review: async ({ runId }, { signal }) => {
          begun[runId === "run-k" ? 0 : 1]!.open();
          reasons.push([runId, await aborted(signal)]);
        },
      },
    });
    for (const key of ["k", "other"]) await add(review(key, clock.iso()));
    for (const { passed } of begun) await passed;
    await commitDecision(store, decision({ appends: [], cancelJobsOfRuns: ["run-k"] }));
    await clock.advance(0);
    expect(reasons).toEqual([["run-k", "cancelled"]]);
  });

  describe("a job with which workers died", () => {
    const open = workshop();
    type PhaseWorkspace = Awaited<ReturnType<typeof open>>;
    const die = ({ store, clock }: PhaseWorkspace, second: number) =>
      claimJob(store, { workerId: "victim", now: clock.iso(second), leaseMs: 1_000 });

    /** Keys of the jobs that a worker takes up now. */
    async function takenUp({ clock, start }: PhaseWorkspace): Promise<string[]> {
      const taken: string[] = [];
      start({
        handlers: {
          effects: async (_payload, { job }) => void taken.push(job.key),
          review: async (_payload, { job }) => void taken.push(job.key),
        },
      });
      await clock.advance(10);
      return taken;
    }

    it("is taken up once more, and set aside after the second death", async () => {
      const shop = await open();
      await shop.add(review("once", shop.clock.iso()));
      await die(shop, 0);
      await shop.add(effects("twice", shop.clock.iso(1)));
      // One with which a worker died waits while another such one is at work.
      expect((await die(shop, 1))?.key).toBe("once");
      expect((await die(shop, 1))?.key).toBe("twice");
      const taken = await takenUp(shop);
      expect(taken).toEqual(["twice"]);
      expect(shop.dead).toMatchObject([{ kind: "review", attempts: 2, error: { code: "set_aside" } }]);
      await shop.clock.advance(60);
      expect(taken).toEqual(["twice"]);
    });

    it("is not suspected of two deaths where the second worker got further, and is of two that died at the same mark", async () => {
      const shop = await open();
      await shop.add(review("k", shop.clock.iso()));
      const dieAfter = async (second: number, marks: number) => {
        const job = await die(shop, second);
        const fence = { jobId: job!.id, token: job!.token };
        for (let mark = 0; mark < marks; mark += 1) await shop.store.queue.step(passMark(fence));
        return job?.deaths;
      };
      expect(await dieAfter(0, 0)).toBe(0);
      expect(await dieAfter(1, 1)).toBe(1);
      expect(await dieAfter(2, 3)).toBe(1);
      expect(await dieAfter(3, 3)).toBe(1);
      expect(await takenUp(shop)).toEqual([]);
      expect(shop.dead).toMatchObject([{ error: { message: "Forge ended twice while at work on this: set aside" } }]);
    });

    it("stays suspected where it was put off before it came as far as those who died", async () => {
      const shop = await open();
      await shop.add(review("k", shop.clock.iso()));
      const first = await die(shop, 0);
      await shop.store.queue.step(passMark({ jobId: first!.id, token: first!.token }));
      const second = await die(shop, 1);
      const again = { runAt: new Date(Date.parse(shop.clock.iso()) + 2_000).toISOString(), countsAsAttempt: false };
      await retryJob(shop.store, second!, again);
      const third = await die(shop, 3);
      expect(third?.deaths).toBe(1);
      await shop.store.queue.step(passMark({ jobId: third!.id, token: third!.token }));
      await retryJob(shop.store, third!, again);
      expect((await die(shop, 4))?.deaths).toBe(0);
    });

    it("is not suspected where it came further before each death", async () => {
      const shop = await open();
      await shop.add(review("k", shop.clock.iso()));
      for (let death = 0; death < 8; death += 1) {
        const job = await die(shop, death);
        const fence = { jobId: job!.id, token: job!.token };
        await commitDecision(shop.store, decision({ appends: [], fence, moves: "on" }));
      }
      expect(await takenUp(shop)).toEqual(["k"]);
    });

    it("is not cleared by what is only said anew", async () => {
      const shop = await open();
      await shop.add(review("k", shop.clock.iso()));
      for (let death = 0; death < 2; death += 1) {
        const job = await die(shop, death);
        const fence = { jobId: job!.id, token: job!.token };
        await commitDecision(shop.store, decision({ appends: [], fence }));
      }
      expect(await takenUp(shop)).toEqual([]);
    });

    it("is cleared where the worker was slow and lives, and goes from hand to hand six times at most", async () => {
      const shop = await open();
      await shop.add(effects("k", shop.clock.iso()));
      let slow = await die(shop, 0);
      for (let late = 1; late <= 6; late += 1) {
        const heir = await die(shop, late);
        expect(heir).toMatchObject({ deaths: 1, lostLeases: late });
        await forgiveDeath(shop.store, slow!);
        slow = heir;
      }
      expect(await takenUp(shop)).toEqual([]);
      expect(shop.dead).toMatchObject([{ error: { code: "worker_killer" } }]);
    });

    it("is as suspect as before when a worker stops, and cleared when one outlives it", async () => {
      const shop = await open();
      await shop.add(effects("k", shop.clock.iso()));
      await die(shop, 0);
      const again = { runAt: shop.clock.iso(), countsAsAttempt: false };
      const second = await die(shop, 1);
      expect(second?.deaths).toBe(1);
      await retryJob(shop.store, second!, { ...again, stoppedEarly: true });
      const third = await die(shop, 2);
      expect(third?.deaths).toBe(1);
      await retryJob(shop.store, third!, again);
      expect((await die(shop, 3))?.deaths).toBe(0);
    });
  });

  it("shares the work with another on the same store, each job once", async () => {
    const { store, clock, start, add } = await open();
    const done: string[] = [];
    for (const name of ["one", "two"]) {
      start({
        handlers: {
          effects: async (_payload, { job, fence }) => {
            const traceId = job.key;
            await commitDecision(
              store,
              decision({ appends: [{ traceId, expectedVersion: 0, events: [happened()] }], fence }),
            );
            done.push(`${name} ${job.key}`);
          },
        },
      });
    }
    const keys = Array.from({ length: 60 }, (_, index) => `k-${index}`);
    await add(...keys.map((key) => effects(key, clock.iso())));
    await until(() => done.length === 60);
    expect(new Set(done.map((entry) => entry.split(" ")[1]))).toEqual(new Set(keys));
    expect(new Set(done.map((entry) => entry.split(" ")[0]))).toEqual(new Set(["one", "two"]));
  });
});
