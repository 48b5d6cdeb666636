import { describe, expect, it } from "vitest";
import { createIdMaker } from "../../src/domain/ids.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { listEffectsOfRun } from "../../src/store/effects/read-effects.ts";
import { pauseWrites, takeWrite } from "../../src/store/effects/take-write.ts";
import { readEvents, verifyRun } from "../../src/store/events/read-events.ts";
import { readCheckpoints, recordStep } from "../../src/store/events/steps.ts";
import { expireCheckpoints, expireDeliveries } from "../../src/store/expire.ts";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { readDelivery, settleDelivery } from "../../src/store/inbox/read-delivery.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { readLedger } from "../../src/store/runs/ledger.ts";
import { putWorkTree, readWorkTree } from "../../src/store/runs/put-work-tree.ts";
import { readRun } from "../../src/store/runs/read-runs.ts";
import type { Store } from "../../src/store/store.ts";
import { onEveryDatabase } from "./databases.ts";
import { at, decision, finding, HEAD, happened, opening, pullRequest, run } from "./fixtures.ts";

const deliver = (store: Store, guid: string, second: number, body: string) =>
  acceptDelivery(store, { guid, event: "push", receivedAt: at(second), body: Buffer.from(body) });

async function work(store: Store, traceId: string, number: number, installationId: number) {
  const subject = pullRequest(number, installationId);
  await commitDecision(
    store,
    decision({
      appends: [{ traceId, expectedVersion: 0, events: [happened(), happened()] }],
      run: [run(traceId, "running", { subject })],
      ledger: [{ subject, finding: finding(`F-${number}`), state: "open", headSha: HEAD }],
      effects: [{ runId: traceId, subject, headSha: HEAD, effects: [opening(traceId)] }],
      jobs: [
        { kind: "review", key: `r${number}`, payload: { runId: traceId, subject }, runId: traceId, runAt: at(0) },
        { kind: "effects", key: `e${number}`, payload: { subject }, runAt: at(0) },
      ],
    }),
  );
  await takeWrite(store, { installationId, at: at(0), content: true, courtesy: false });
  await pauseWrites(store, installationId, at(60));
}

describe("retention", () => {
  onEveryDatabase((open) => {
    it("DATA-2: checkpoints go a while after their run has ended, those of runs at work stay", async () => {
      const store = await open();
      const ended = (traceId: string, second: number) => run(traceId, "completed", { endedAt: at(second) });
      const runs = [ended("old", 1), ended("new", 9), run("at-work", "running", { subject: pullRequest(2) })];
      await commitDecision(store, decision({ run: runs }));
      for (const { traceId } of runs) {
        const step = { agent: "reviewer/1", sequence: 1, checkpoint: {}, events: [], at: at(0), source: "agents" };
        await recordStep(store, { ...step, traceId, makeId: createIdMaker() });
      }
      expect(await expireCheckpoints(store, at(5))).toBe(1);
      const left = await Promise.all(runs.map(({ traceId }) => readCheckpoints(store, traceId, "reviewer/1")));
      expect(left.map(({ length }) => length)).toEqual([0, 1, 1]);
      expect(await expireCheckpoints(store, at(5))).toBe(0);
    });

    it("DATA-2: checkpoints of a question, which belongs to no run, go a while after its last step", async () => {
      const store = await open();
      const traces = ["ask:issue_comment:1", "ask:issue_comment:2"];
      const keep = (traceId: string, sequence: number, second: number) =>
        recordStep(store, {
          ...{ traceId, sequence, agent: "ask/0", checkpoint: {}, events: [], source: "agents" },
          ...{ at: at(second), makeId: createIdMaker() },
        });
      for (const traceId of traces) await keep(traceId, 1, 0);
      await keep(traces[1]!, 2, 9);
      expect(await expireCheckpoints(store, at(5))).toBe(1);
      const left = await Promise.all(traces.map((traceId) => readCheckpoints(store, traceId, "ask/0")));
      expect(left.map(({ length }) => length)).toEqual([0, 2]);
    });

    it("DATA-2: the commit of suggested fixes, which belongs to no run, goes a while after it was made", async () => {
      const store = await open();
      const tree = { base: "a", head: "b", tree: "c", merged: [], pack: Buffer.from("pack") };
      const traces = ["fix:issue_comment:1#0", "fix:issue_comment:2#0"];
      await store.queue.together(traces.map((traceId, index) => putWorkTree(traceId, tree, at(index * 9))));
      expect(await expireCheckpoints(store, at(5))).toBe(1);
      expect(await readWorkTree(store, traces[0]!)).toBeUndefined();
      expect(await readWorkTree(store, traces[1]!)).toEqual(tree);
    });

    it("DATA-2: old deliveries go, those that wait to be handled stay", async () => {
      const store = await open();
      await Promise.all(Array.from({ length: 450 }, (_, index) => deliver(store, `old-${index}`, 1, "{}")));
      for (let index = 1; index < 450; index += 1) void settleDelivery(store, `old-${index}`, "handled");
      await deliver(store, "new", 9, "{}");
      await settleDelivery(store, "new", "handled");
      expect(await expireDeliveries(store, at(5))).toBe(449);
      expect(await readDelivery(store, "old-0")).toMatchObject({ state: "received" });
      expect(await readDelivery(store, "old-1")).toBeUndefined();
      expect(await readDelivery(store, "new")).toBeDefined();
    });

    it("DATA-2: an installation that asks for it is forgotten, whole runs and nobody else's", async () => {
      const store = await open();
      await work(store, "ours", 1, 7);
      await work(store, "theirs", 2, 8);
      await deliver(store, "d-7", 0, JSON.stringify({ installation: { id: 7 } }));
      await deliver(store, "d-8", 0, JSON.stringify({ installation: { id: 8 } }));
      await deliver(store, "d-odd", 0, "not JSON at all \u0000");
      const held = await claimJob(store, { workerId: "w", now: at(1), leaseMs: 60_000, kinds: ["review"] });
      expect(held?.runId).toBe("ours");

      await deleteInstallation(store, 7);

      expect(await readRun(store, "ours")).toBeUndefined();
      expect(await readEvents(store, "ours")).toEqual([]);
      expect(await listEffectsOfRun(store, "ours")).toEqual([]);
      expect(await readLedger(store, pullRequest(1, 7))).toEqual([]);
      expect(await readDelivery(store, "d-7")).toBeUndefined();
      const write = { at: at(1), content: true, courtesy: false };
      const room = Array.from({ length: 80 }, () => takeWrite(store, { ...write, installationId: 7 }));
      expect(new Set(await Promise.all(room))).toEqual(new Set([undefined]));
      expect(await takeWrite(store, { ...write, installationId: 8 })).toBe(at(60));
      const fence = { jobId: held!.id, token: held!.token };
      await expect(commitDecision(store, decision({ fence }))).rejects.toMatchObject({ code: "lease_lost" });

      expect(await readRun(store, "theirs")).toBeDefined();
      expect(await verifyRun(store, "theirs")).toEqual({});
      expect(await readEvents(store, "theirs")).toHaveLength(2);
      expect(await listEffectsOfRun(store, "theirs")).toHaveLength(1);
      expect(await readLedger(store, pullRequest(2, 8))).toHaveLength(1);
      expect(await readDelivery(store, "d-8")).toBeDefined();
      expect(await readDelivery(store, "d-odd")).toBeDefined();
      expect((await countJobs(store)).queued).toBe(4);
    });
  });
});
