import { expect, it } from "vitest";
import { createIdMaker } from "../../../src/domain/ids.ts";
import type { RuleLook } from "../../../src/domain/protection.ts";
import { readLetThrough } from "../../../src/pipeline/deploy/rule/let-through.ts";
import { handleInput } from "../../../src/pipeline/runs/handle-input.ts";
import { deployWorld, NEW } from "./deploy-world.ts";

const world = deployWorld();
const makeId = createIdMaker();
const YES: RuleLook = { of: "own", isStep: true, from: "forge", underWay: true, held: false };
const NO: RuleLook = { ...YES, isStep: false, from: "again" };

function answer(workflowRunId: number, look: RuleLook, { environment = "Production", attempt = 1 } = {}) {
  const asked = { workflowRunId, environment, sha: NEW, ...(attempt > 1 ? { attempt } : {}) };
  const { store, subject } = world;
  const at = "2026-11-20T10:00:00.000Z";
  return handleInput({ store, makeId }, { type: "rule.observed", subject, asked, look, at, newRunId: makeId() });
}
const WAITS: RuleLook = { ...YES, isStep: false };
const letThrough = async (environment: string) => {
  const known = await readLetThrough(world.store, world.subject, environment);
  return known && { ...known, runs: [...known.runs] };
};

it("DEP-2: the log says which runs were let deploy to an environment, whose name has no case", async () => {
  await answer(7, YES);
  await answer(8, NO);
  await answer(9, YES, { environment: "eu" });
  // What waited an administrator can have started.
  await answer(10, WAITS);
  await answer(11, NO, { environment: "us" });
  expect(await letThrough("production")).toEqual({ runs: [7, 10], since: 7 });
  expect(await letThrough("EU")).toEqual({ runs: [9], since: 9 });
  expect(await letThrough("us")).toEqual({ runs: [], since: 11 });
  expect(await letThrough("staging")).toBeUndefined();
});

it("DEP-2: a run that a person runs again is answered again, and the same attempt once", async () => {
  expect((await answer(7, YES)).ignored).toBeUndefined();
  expect((await answer(7, NO)).ignored).toBe("this was answered before");
  expect((await answer(7, NO, { attempt: 2 })).ignored).toBeUndefined();
  expect((await answer(7, NO, { attempt: 2 })).ignored).toBe("this was answered before");
  expect(await world.planned()).toEqual(["rule.answer", "rule.answer"]);
});
