import { describe, expect, it } from "vitest";
import type { JobKind, NewJob } from "../../src/domain/jobs.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { claimJob, nextRunAt } from "../../src/store/jobs/claim-job.ts";
import { buryJob, completeJob, extendLease, retryJob } from "../../src/store/jobs/held-job.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import type { Store } from "../../src/store/store.ts";
import { onEveryDatabase } from "./databases.ts";
import { at, decision, pullRequest } from "./fixtures.ts";
import { listDeadJobs } from "./list-dead-jobs.ts";

const effectsJob = (key: string, change: Partial<NewJob> = {}) =>
  ({ kind: "effects", key, payload: { subject: pullRequest() }, runAt: at(0), ...change }) as NewJob;

const add = (store: Store, ...jobs: NewJob[]) => commitDecision(store, decision({ appends: [], jobs }));
const claim = (store: Store, second: number, kinds?: JobKind[]) =>
  claimJob(store, { workerId: "w", now: at(second), leaseMs: 10_000, ...(kinds ? { kinds } : {}) });

describe("jobs", () => {
  onEveryDatabase((open) => {
    it("are claimed by priority, moment and age, and not before their moment", async () => {
      const store = await open();
      await add(
        store,
        effectsJob("late", { runAt: at(50) }),
        effectsJob("second", { runAt: at(2) }),
        effectsJob("first", { runAt: at(1) }),
        effectsJob("third", { runAt: at(2) }),
        effectsJob("patient", { priority: 5 }),
      );
      const order = [];
      for (let job = await claim(store, 5); job; job = await claim(store, 5)) order.push(job.key);
      expect(order).toEqual(["first", "second", "third", "patient"]);
      expect((await claim(store, 51))?.key).not.toBeUndefined();
    });

    it("are claimed by the kinds a worker has room for", async () => {
      const store = await open();
      await add(store, effectsJob("e"), {
        kind: "review",
        key: "r",
        payload: { runId: "run-1", subject: pullRequest() },
        runId: "run-1",
        runAt: at(0),
      });
      expect(await claim(store, 1, ["delivery"])).toBeUndefined();
      expect(await claim(store, 1, ["review"])).toMatchObject({ key: "r", runId: "run-1", attempt: 1, token: 1 });
    });

    it("of one key run one at a time, in order", async () => {
      const store = await open();
      await add(store, effectsJob("k", { runAt: at(0) }), effectsJob("k", { runAt: at(1) }), effectsJob("other"));
      const first = await claim(store, 2);
      expect((await claim(store, 2))?.key).toBe("other");
      expect(await claim(store, 2)).toBeUndefined();
      expect(await completeJob(store, first!)).toBe("released");
      expect((await claim(store, 2))?.key).toBe("k");
    });

    it("go to exactly one of many that claim at once", async () => {
      const store = await open();
      await add(store, effectsJob("a"), effectsJob("b"), effectsJob("c"));
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim(store, 1)));
      const keys = claims.flatMap((job) => job?.key ?? []);
      expect(keys.sort()).toEqual(["a", "b", "c"]);
    });

    it("PIPE-7: come back when the lease runs out, with a token that fences the old worker out", async () => {
      const store = await open();
      await add(store, effectsJob("k"));
      const dead = await claim(store, 0);
      expect(await extendLease(store, dead!, at(5), 10_000)).toBe("held");
      expect(await claim(store, 14)).toBeUndefined();
      const heir = await claim(store, 15);
      expect(heir).toMatchObject({ id: dead!.id, token: dead!.token + 1, attempt: 2, failures: 0, lostLeases: 1 });
      expect(await extendLease(store, dead!, at(16), 10_000)).toBe("lost");
      expect(await completeJob(store, dead!)).toBe("lost");
      expect(await retryJob(store, dead!, { runAt: at(16), countsAsAttempt: true })).toBe("lost");
      expect(await buryJob(store, dead!, "no")).toBe("lost");
      expect(await completeJob(store, heir!)).toBe("released");
    });

    it("count a failure as an attempt, and giving back does not", async () => {
      const store = await open();
      await add(store, effectsJob("k"));
      await retryJob(store, (await claim(store, 0))!, { runAt: at(5), error: "no", countsAsAttempt: true });
      expect(await claim(store, 4)).toBeUndefined();
      const second = await claim(store, 5);
      expect(second).toMatchObject({ attempt: 2, failures: 1 });
      await retryJob(store, second!, { runAt: at(6), countsAsAttempt: false });
      expect(await claim(store, 6)).toMatchObject({ attempt: 2, failures: 1, token: 3 });
    });

    it("are kept as dead letters with their error, and never claimed again", async () => {
      const store = await open();
      await add(store, effectsJob("k", { runId: "run-1" }));
      await buryJob(store, (await claim(store, 0))!, "it will never work");
      expect(await claim(store, 99)).toBeUndefined();
      expect(await countJobs(store)).toEqual({ queued: 0, running: 0, dead: 1 });
      expect(await listDeadJobs(store)).toMatchObject([
        { kind: "effects", key: "k", runId: "run-1", payload: { subject: pullRequest() }, error: "it will never work" },
      ]);
    });

    it("hear of their cancellation by the heartbeat, and are gone when their worker is", async () => {
      const store = await open();
      await add(store, effectsJob("k", { runId: "run-1" }), effectsJob("l", { runId: "run-1" }));
      const [k, l] = [await claim(store, 0), await claim(store, 0)];
      await commitDecision(store, decision({ appends: [], cancelJobsOfRuns: ["run-1"] }));
      expect(await extendLease(store, k!, at(1), 10_000)).toBe("cancel_requested");
      expect(await retryJob(store, l!, { runAt: at(1), countsAsAttempt: false })).toBe("released");
      expect(await claim(store, 60)).toBeUndefined();
      expect(await countJobs(store)).toEqual({ queued: 0, running: 0, dead: 0 });
    });

    it("tell when there may be something to claim next", async () => {
      const store = await open();
      expect(await nextRunAt(store)).toBeUndefined();
      await add(store, effectsJob("k", { runAt: at(3) }), effectsJob("later", { runAt: at(40) }));
      expect(await nextRunAt(store)).toBe(at(3));
      expect(await nextRunAt(store, ["review"])).toBeUndefined();
      await claim(store, 3);
      await add(store, effectsJob("k", { runAt: at(4) }));
      // The second of the key waits for the first: for its end, or for its lease.
      expect(await nextRunAt(store)).toBe(at(13));
    });
  });
});
