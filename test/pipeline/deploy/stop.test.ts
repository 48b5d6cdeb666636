import { beforeEach, describe, expect, it } from "vitest";
import type { StepOutcome } from "../../../src/domain/deployments.ts";
import type { NewEvent } from "../../../src/domain/events.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import { deployWorld, errors, NEW, OLD } from "./deploy-world.ts";

const world = deployWorld();
const makeId = createIdMaker();
let run = "";

const FINE = errors([20_000, 40], [380_000, 760]);
const BAD = errors([20_000, 4_000], [380_000, 760]);
const WRITER = { login: "wim", id: 4, role: "write" } as const;

const stepped = (step: number, outcome: StepOutcome) =>
  world.tell({ type: "deploy.stepped", runId: run, step, outcome, handle: { deploymentId: 40 + step } });

/** Into the log of the work on an issue. */
async function write(traceId: string, expectedVersion: number, event: NewEvent): Promise<void> {
  const appends = [{ traceId, expectedVersion, events: [event] }];
  await commitDecision(world.store, { appends, at: "2026-11-20T10:00:00.000Z", makeId, source: "test" });
}

async function looked(step: number, sample = FINE) {
  world.minutes += 11;
  await world.probe(step, sample);
}

/** Up to the first step, which is on its way. */
beforeEach(async () => {
  run = await world.request();
  await world.observe();
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "12 passed, 0 failed." });
  await world.say("approve", {}, { login: "eva", id: 3 });
});

describe("DEP-1: a deployment that is stopped", () => {
  it("ends its step, begins no other by itself, and goes on when it is resumed", async () => {
    expect(await world.say("stop", {}, WRITER)).toBeUndefined();
    await stepped(0, { is: "done" });
    await looked(0);
    await looked(0);
    expect(await world.standing()).toMatchObject({ is: "baking", stopped: { by: "wim" }, steps: [{ percentage: 5 }] });
    // Said twice it is so.
    expect(await world.say("stop")).toBeUndefined();

    expect(await world.say("resume", {}, WRITER)).toBe("role");
    expect(await world.say("resume")).toBeUndefined();
    expect((await world.standing()).stopped).toBeUndefined();
    await looked(0);
    expect(await world.standing()).toMatchObject({ is: "deploying", steps: [{ percentage: 5 }, { percentage: 25 }] });
  });

  it("still goes back by itself where it is worse", async () => {
    await world.say("stop", {}, WRITER);
    await stepped(0, { is: "done" });
    for (let look = 0; look < 4; look += 1) await looked(0, BAD);
    const standing = await world.standing();
    expect(standing).toMatchObject({ is: "going_back", steps: [{ sha: NEW }, { sha: OLD, task: "rollback" }] });
    expect(standing.stopped).toBeUndefined();
  });

  it("goes on by a promotion too", async () => {
    await stepped(0, { is: "done" });
    await world.say("stop", {}, WRITER);
    await looked(0);
    expect(await world.say("promote")).toBeUndefined();
    const standing = await world.standing();
    expect(standing).toMatchObject({ is: "deploying", steps: [{ percentage: 5 }, { percentage: 25 }] });
    expect(standing.stopped).toBeUndefined();
  });

  it("is not stopped where all of its steps have begun", async () => {
    for (const step of [0, 1]) {
      await stepped(step, { is: "done" });
      await looked(step);
    }
    expect(await world.say("stop", {}, WRITER)).toBe("nothing_to_stop");
    expect(await world.say("resume")).toBe("nothing_to_resume");
    expect((await world.standing()).stopped).toBeUndefined();
  });
});

describe("DEP-1: a deployment that is stopped before anything is there", () => {
  it("is over, also while a person is asked", async () => {
    await world.say("rollback");
    await stepped(1, { is: "done" });
    await world.say("release");
    run = await world.request({ id: "merged:13", sha: "c".repeat(40) });
    await world.observe({ sha: "c".repeat(40) });
    await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "12 passed, 0 failed." });
    expect(await world.standing()).toMatchObject({ is: "asking" });
    expect(await world.say("stop", {}, WRITER)).toBeUndefined();
    expect(await world.standing()).toMatchObject({ end: { outcome: "rejected", reason: "wim stopped it" } });
    expect((await world.standing()).gate).toBeUndefined();
  });

  it("is not begun where the work on its issue was stopped, and leaves its place in the queue", async () => {
    const next = { environment: "production", sha: "c".repeat(40), by: { login: "ana", id: 2, kind: "user" } } as const;
    const work = { issue: 5, runId: makeId() };
    const deploy = { ...next, cause: "merge", id: "later", implements: work } as const;
    await world.tell({ type: "deploy.requested", deploy });
    expect((await world.environment()).next).toMatchObject({ id: "later" });
    await write(work.runId, 0, { type: "run.stopped", payload: {}, actor: next.by });
    await world.tell({ type: "deploy.requested", deploy });
    expect((await world.environment()).next).toBeUndefined();
    // What is under way goes on.
    expect(await world.standing()).toMatchObject({ is: "deploying", sha: NEW });
    await write(work.runId, 1, {
      type: "run.resumed",
      payload: { attempt: 1, reason: "ana had it go on" },
      actor: next.by,
    });
    await world.tell({ type: "deploy.requested", deploy: { ...deploy, id: "resumed" } });
    expect((await world.environment()).next).toMatchObject({ id: "resumed" });
  });
});

it("SAFE-3, GH-14a: a gate that becomes void is struck through where people were asked, whatever ended the deployment", async () => {
  await world.say("rollback");
  await stepped(1, { is: "done" });
  await world.say("release");
  for (const [index, command] of ["stop", "rollback"].entries()) {
    const sha = "cd"[index]!.repeat(40);
    run = await world.request({ id: `merged:${20 + index}`, sha });
    await world.observe({ sha });
    await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "12 passed, 0 failed." });
    expect(await world.say(command)).toBeUndefined();
  }
  const shown = await world.store.read.all<{ subject: string }>("select subject from effects where kind = 'gate.show'");
  const kinds = shown.map(({ subject }) => (JSON.parse(subject) as { kind: string }).kind);
  expect(kinds.length).toBeGreaterThanOrEqual(4);
  expect(new Set(kinds)).toEqual(new Set(["pull_request"]));
});
