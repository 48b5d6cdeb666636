import { expect, it } from "vitest";
import { deployWorld } from "./deploy-world.ts";

const world = deployWorld("staging");
const EVA = { login: "eva", id: 3 };
const standing = () => world.standing();

/** A maintainer holds the environment while what is to go there is built and tested. */
async function heldWhileTested(level: number | undefined, cause: "merge" | "command" = "merge"): Promise<string> {
  const runId = await world.request({ cause });
  await world.observe({ risk: "low" }, { steps: [100] }, level);
  expect(await world.say("hold", { reason: "a sale runs" })).toBeUndefined();
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "3 passed, 0 failed." });
  return runId;
}

it("SAFE-4: a hold that comes while a version is tested lets nothing begin that nobody asked for", async () => {
  const runId = await heldWhileTested(3);
  world.minutes = 120;
  await world.tell({ type: "deploy.looked", runId, level: 3 });
  expect(await world.planned()).not.toContain("deployment.begin");
  expect(await standing()).toMatchObject({ is: "ended", end: { outcome: "refused", refusal: "held" } });
});

it("SAFE-4: what a person asked for does not begin either", async () => {
  await heldWhileTested(undefined, "command");
  expect(await world.planned()).not.toContain("deployment.begin");
});

it("SAFE-3: while an environment is held no yes has anything begin there; after its release the same gate can be answered", async () => {
  const runId = await world.request();
  await world.observe({}, { steps: [100] });
  await world.tell({ type: "deploy.verified", runId, is: "passed", summary: "3 passed, 0 failed." });
  await world.say("hold", { reason: "a sale runs" });
  expect((await standing()).is).toBe("asking");
  expect(await world.say("approve", {}, EVA)).toBe("environment_held");
  expect(await world.planned()).not.toContain("deployment.begin");
  await world.say("release");
  expect(await world.say("approve", {}, EVA)).toBeUndefined();
  expect((await standing()).is).toBe("deploying");
});

it.each([
  ["goes back while it is held", true, "going_back"],
  ["does not go back to a commit that is on no branch anymore", false, "ended"],
] as const)("DEP-1: an environment %s", async (_what, merged, is) => {
  await world.say("hold", { reason: "a sale runs" });
  await world.request({ cause: "rollback", id: "rollback:1" });
  await world.observe({ merged }, { steps: [100] });
  const { is: seen, steps, end } = await standing();
  expect([seen, steps.length, end?.refusal]).toEqual([is, merged ? 1 : 0, merged ? undefined : "not_merged"]);
});
