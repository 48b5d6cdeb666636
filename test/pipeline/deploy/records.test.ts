import { expect, it } from "vitest";
import type { PlacedEvent } from "../../../src/domain/events.ts";
import { subjectKey } from "../../../src/domain/subjects.ts";
import { countRun, lookBack, takeUpLookingBack } from "../../../src/learning/look-back.ts";
import { listCheckpoints } from "../../../src/pipeline/checkpoints/list-checkpoints.ts";
import { compareReplay } from "../../../src/pipeline/compare-replay.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { claimJob } from "../../../src/store/jobs/claim-job.ts";
import { deployWorld } from "./deploy-world.ts";

const world = deployWorld();

/** A deployment that was begun and ended, as its tests failed. */
async function failedDeployment(): Promise<string> {
  const run = await world.request();
  await world.observe();
  await world.tell({ type: "deploy.verified", runId: run, is: "failed", summary: "1 failed." });
  return run;
}

it("EVT-3: a sound log of a deployment replays to what the tables say", async () => {
  const run = await failedDeployment();
  expect(await compareReplay(world.store, run)).toMatchObject({ runId: run, differences: [] });
});

it("PIPE-6: the checkpoints of a deployment are listed with what it had come to", async () => {
  const listed = await listCheckpoints(world.store, await failedDeployment());
  expect(listed.map(({ reason }) => reason)).toEqual(["run.started", "phase.entered", "run.completed"]);
  expect(listed.at(-1)).toMatchObject({
    outputs: { deploy: { id: "merged:12" }, verified: { is: "failed" }, end: { outcome: "failed" } },
    notRestorable: "it is a deployment: /forge deploy begins a new one, and /forge rollback goes back",
  });
});

it("RUN-1: a finished deployment is looked back at once", async () => {
  const { store, subject } = world;
  const run = await failedDeployment();
  const now = () => "2026-11-20T10:05:00.000Z";
  let ids = 0;
  const dependencies = { store, now, makeId: () => `01JZ00000000000000000000${10 + ids++}` };
  const turn = async () => {
    const taken = await takeUpLookingBack(dependencies);
    const job = await claimJob(store, { workerId: "w", now: now(), leaseMs: 1_000, kinds: ["learn"] });
    if (!job) return taken;
    const fence = { jobId: job.id, token: job.token };
    const signal = new AbortController().signal;
    await lookBack(dependencies as never, { subject, runId: run, fence, signal });
    await store.queue.together([]);
    return taken;
  };
  expect(await turn()).toEqual({ runs: 1 });
  const told = (await readEvents(store, subjectKey(subject))).filter(({ type }) => type === "run.reflected");
  expect(told).toMatchObject([{ payload: { runId: run, kind: "deploy", outcome: "failure" } }]);
  expect(await turn()).toBeUndefined();
});

it.each([
  ["healthy", "success"],
  ["unwatched", "partial"],
  ["degraded", "partial"],
  ["rolled_back", "failure"],
  ["rollback_failed", "failure"],
  ["failed", "failure"],
  ["refused", "partial"],
] as const)("RUN-1: a deployment that ended as %s counts as %s", (outcome, is) => {
  const at = "2026-11-20T10:00:00.000Z";
  const none = { critical: 0, error: 0, warning: 0, info: 0 };
  const events = [
    { type: "run.started", payload: { kind: "deploy", subject: world.subject, deploy: {}, task: "" }, at },
    { type: "run.completed", payload: { outcome, totals: { findings: none, costUsd: 0, tokens: 0 } }, at },
  ] as unknown as PlacedEvent[];
  expect(countRun(events).ended?.outcome).toBe(is);
});
