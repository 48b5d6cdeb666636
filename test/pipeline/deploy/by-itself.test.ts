import { expect, it } from "vitest";
import type { DeployStanding } from "../../../src/domain/deployments.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import { replayDeployment } from "../../../src/pipeline/deploy/evolve.ts";
import { nextLook } from "../../../src/pipeline/deploy/steps.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { deployWorld, NEW } from "./deploy-world.ts";

const world = deployWorld("staging");
const OTHER = "c".repeat(40);
const BEN = { login: "ben", id: 5, role: "write" } as const;

/** What a merge brought is known, built and tested. */
async function verified(level: number | undefined, more: Parameters<typeof world.request>[0] = {}): Promise<string> {
  const runId = await world.request(more);
  await world.observe({}, { steps: [100] }, level);
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "3 passed, 0 failed." });
  return runId;
}
const is = async () => (await world.standing()).is;
const end = async () => (await world.standing()).end;
const run = async (runId: string) => replayDeployment(await readEvents(world.store, runId));

it.each<[number | undefined, DeployStanding["is"]]>([
  [undefined, "asking"],
  [1, "asking"],
  [2, "asking"],
  [3, "announced"],
  [4, "announced"],
])("SAFE-4: at level %s a merge to staging is %s once it is tested", async (level, expected) => {
  await verified(level);
  expect(await is()).toBe(expected);
  expect(await world.planned()).not.toContain("deployment.begin");
  if (expected === "asking") {
    expect(await world.say("approve", {}, BEN)).toBe("role");
    expect(await world.say("approve", {}, { login: "eva", id: 3 })).toBeUndefined();
    expect(await is()).toBe("deploying");
  }
});

it("SAFE-4: what is announced begins two hours later, and no worker waits for that", async () => {
  const runId = await verified(3);
  const known = await run(runId);
  expect(known && nextLook(known, "2026-11-20T10:00:30.000Z")).toBe("2026-11-20T12:00:00.000Z");
  expect(await world.standing()).toMatchObject({ until: "2026-11-20T12:00:00.000Z" });
  world.minutes = 119;
  await world.tell({ type: "deploy.looked", runId, level: 3 });
  expect(await is()).toBe("announced");
  world.minutes = 120;
  await world.tell({ type: "deploy.looked", runId, level: 3 });
  expect(await is()).toBe("deploying");
  expect(await world.planned()).toContain("deployment.begin");
});

it("SAFE-4: the level of the moment counts: below 3 a person is asked then, at 0 it ends, and while Forge is paused a person is asked", async () => {
  const after = async (level: number, meanwhile = async () => {}) => {
    const runId = await verified(3, { id: `merged:${level}`, sha: level === 0 ? OTHER : NEW });
    await meanwhile();
    world.minutes += 120;
    await world.tell({ type: "deploy.looked", runId, level });
    return world.standing();
  };
  expect(await after(2)).toMatchObject({ is: "asking", gate: { gate: "G-1" } });
  await world.say("reject", {}, { login: "eva", id: 3 });
  expect(await after(0)).toMatchObject({ is: "ended", end: { outcome: "refused", refusal: "level" } });
  const pause = { scope: "repository", by: "ana", at: "2026-11-20T10:00:00.000Z" } as const;
  const repository = [{ kind: "paused", subject: world.subject, pause } as const];
  const paused = async () => {
    const change = { appends: [], repository, at: pause.at, makeId: createIdMaker(), source: "test" };
    await commitDecision(world.store, change);
  };
  expect(await after(4, paused)).toMatchObject({ is: "asking" });
  await world.say("reject", {}, { login: "eva", id: 3 });
  await verified(4, { id: "merged:paused" });
  expect(await is()).toBe("asking");
});

it("SAFE-4: at level 0 a merge begins nothing, also while another is under way, and the end says so", async () => {
  await world.request({ level: 0 });
  expect(await end()).toMatchObject({ outcome: "refused", refusal: "level" });
  expect(await world.planned()).toEqual(["deploy.check", "deploy.show"]);
  // It fell to 0 before a worker looked.
  await world.request({ id: "merged:11", sha: OTHER });
  await world.observe({}, {}, 0);
  expect(await end()).toMatchObject({ outcome: "refused", refusal: "level" });
  await world.request({ id: "by hand", cause: "command" });
  await world.request({ id: "merged:13", sha: OTHER, level: 0 });
  expect((await world.environment()).next).toBeUndefined();
});

it("SAFE-4: who may push objects to what is announced, which ends; who has maintain holds the environment by that too", async () => {
  await verified(3);
  expect(await world.say("hold", { environment: "staging" }, { ...BEN, role: "triage" })).toBe("role");
  expect(await is()).toBe("announced");
  expect(await world.say("hold", { environment: "staging", reason: "a sale runs" }, BEN)).toBeUndefined();
  expect(await end()).toMatchObject({ outcome: "held", reason: "ben objected: a sale runs" });
  expect((await world.environment()).hold).toBeUndefined();
  // Nothing is announced now: to hold the environment itself takes maintain.
  expect(await world.say("hold", { environment: "staging" }, BEN)).toBe("role");

  await verified(3, { id: "merged:13" });
  expect(await world.say("hold", { environment: "staging" })).toBeUndefined();
  expect(await end()).toMatchObject({ outcome: "held" });
  expect((await world.environment()).hold).toMatchObject({ by: "ana" });
  await world.request({ id: "merged:14" });
  await world.observe({}, {}, 3);
  expect(await end()).toMatchObject({ outcome: "refused", refusal: "held" });
});

it.each([
  ["promote", { environment: "staging" }],
  ["deploy", { environment: "staging" }],
])("SAFE-4: /forge %s by maintain ends the time to object", async (name, args) => {
  const runId = await verified(3);
  expect(await world.say(name, args, BEN)).toBe("role");
  expect(await world.say(name, args)).toBeUndefined();
  expect(await run(runId)).toMatchObject({ steps: [{ planned: { sha: NEW } }] });
});

it("SAFE-4: what a person asks for is not announced, and takes the place of what waits for people", async () => {
  const waiting = await verified(3, { sha: OTHER });
  expect(await world.say("deploy", { environment: "staging" })).toBeUndefined();
  expect(await run(waiting)).toMatchObject({ end: { outcome: "superseded" } });
  const { runId } = await world.standing();
  await world.observe({}, { steps: [100] });
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "3 passed, 0 failed." });
  expect(await is()).toBe("deploying");
});

it("SAFE-4: people hear first of what they can object to", async () => {
  const shown = async () => (await world.planned()).filter((kind) => kind === "deploy.show").length;
  const runId = await world.request();
  await world.observe({}, {}, 3);
  expect(await shown()).toBe(0);
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "3 passed, 0 failed." });
  expect(await shown()).toBe(1);
});
