import { expect, it } from "vitest";
import type { Subject } from "../../../src/domain/subjects.ts";
import { subjectKey } from "../../../src/domain/subjects.ts";
import { checkMeant } from "../../../src/pipeline/commands/release-meant.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { deployWorld, PULL } from "./deploy-world.ts";

const world = deployWorld();
const CHECK = { check: "forge/deploy", reason: "the provider was down" };
const EVA = { login: "eva", id: 3 } as const;

/** A deployment whose first step failed, so that nothing of it is there. */
async function failed(): Promise<string> {
  const run = await world.request();
  await world.observe();
  await world.tell({ type: "deploy.verified", runId: run, is: "failed", summary: "11 passed, 1 failed." });
  return run;
}

it("GH-11: the check of a deployment that failed is passed by a maintainer with a reason, once, and nothing else changes", async () => {
  await failed();
  expect(await world.standing()).toMatchObject({ end: { outcome: "failed" } });
  expect(await world.say("override", CHECK, { ...EVA, role: "write" })).toBe("role");
  const before = await world.environment();
  expect(await world.say("override", CHECK, EVA)).toBeUndefined();
  expect(await world.standing()).toMatchObject({ overridden: { by: "eva", reason: "the provider was down" } });
  expect(await world.environment()).toEqual(before);
  expect((await world.planned()).slice(-2)).toEqual(["deploy.check", "deploy.show"]);
  expect((await world.planned()).filter((kind) => kind === "deployment.begin")).toEqual([]);
  const own = await readEvents(world.store, subjectKey(world.subject));
  expect(own.find(({ type }) => type === "check.overridden")).toMatchObject({ payload: { check: "forge/deploy" } });
  expect(await world.say("override", CHECK, EVA)).toBe("nothing_to_override");
});

it("GH-11: nothing is overridden while it is under way, where it went well, or where nothing was deployed", async () => {
  expect(await world.say("override", CHECK, EVA)).toBe("nothing_to_override");
  await world.request();
  await world.observe();
  expect(await world.say("override", CHECK, EVA)).toBe("nothing_to_override");
  await world.say("rollback", { reason: "not today" });
  // A no by a person is no failure of the check.
  expect(await world.standing()).toMatchObject({ end: { outcome: "rejected" } });
  expect(await world.say("override", CHECK, EVA)).toBe("nothing_to_override");
});

it("GH-11: the check that is meant is that of the deployment told of where the command is given", async () => {
  expect(await checkMeant(world.store, PULL)).toEqual({});
  await failed();
  expect(await checkMeant(world.store, PULL)).toEqual({ environment: "production" });
  const elsewhere: Subject = { ...PULL, number: 99 };
  expect(await checkMeant(world.store, elsewhere)).toEqual({});
});
