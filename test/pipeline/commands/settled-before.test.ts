import { expect, it } from "vitest";
import { wasSettled } from "../../../src/pipeline/commands/settled-before.ts";
import { deployWorld, PULL } from "../deploy/deploy-world.ts";

const world = deployWorld();

it("GH-4: an answer to a gate of an environment that a worker died with is not read again, when the gate is closed and it would mean another one", async () => {
  const run = await world.request();
  await world.observe();
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
  expect(await world.say("approve", {}, { login: "eva", id: 3 })).toBeUndefined();
  const settled = (id: string, index = 0) =>
    wasSettled(world.store, PULL, { source: { kind: "issue_comment", id }, index });
  expect(await Promise.all([settled("1"), settled("1", 1), settled("2")])).toEqual([true, false, false]);
});
