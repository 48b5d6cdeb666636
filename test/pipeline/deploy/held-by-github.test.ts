import { beforeEach, expect, it } from "vitest";
import type { StepOutcome } from "../../../src/domain/deployments.ts";
import { replayDeployment } from "../../../src/pipeline/deploy/evolve.ts";
import { inTime, nextLook } from "../../../src/pipeline/deploy/steps.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { deployWorld } from "./deploy-world.ts";

const world = deployWorld("staging");
let run = "";
beforeEach(async () => {
  run = await world.request({ cause: "command" });
  await world.observe({}, { start_minutes: 10, finish_minutes: 60, probe_seconds: 600 });
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
});

const at = () => new Date(Date.parse("2026-11-20T10:00:00.000Z") + world.minutes * 60_000).toISOString();
async function deployment() {
  const state = replayDeployment(await readEvents(world.store, run));
  if (!state) throw new Error("there is no deployment");
  return state;
}
/** What a look at GitHub comes to so many minutes after the step began, and is recorded as. */
async function look(minutes: number, seen: StepOutcome): Promise<StepOutcome["is"]> {
  world.minutes = minutes;
  const state = await deployment();
  const outcome = inTime(state, state.steps.at(-1)!, seen, at());
  await world.tell({ type: "deploy.stepped", runId: run, step: 0, outcome });
  return outcome.is;
}
const awaits = { reviewers: ["ana"] };

it("DEP-2: no limit runs while GitHub holds a step back, and both count from when that ended", async () => {
  expect(await look(5, { is: "waiting", awaits })).toBe("waiting");
  expect((await world.standing()).steps).toMatchObject([{ outcome: { awaits } }]);
  expect(nextLook(await deployment(), at())).toBe("2026-11-20T10:06:00.000Z");
  const ten = { reviewers: ["ana"], until: "2026-11-30T10:00:00.000Z" };
  expect(await look(14_000, { is: "waiting", awaits: ten })).toBe("waiting");
  expect((await world.standing()).steps).toMatchObject([{ outcome: { awaits: ten } }]);
  // The yes came: the first look afterwards begins the time.
  expect(await look(14_400, { is: "waiting" })).toBe("waiting");
  expect(nextLook(await deployment(), at())).toBe("2026-11-30T10:00:15.000Z");
  expect(await look(14_409, { is: "waiting" })).toBe("waiting");
  expect(await look(14_412, { is: "running" })).toBe("running");
  expect(await look(14_459, { is: "running" })).toBe("running");
  expect(await look(14_460, { is: "running" })).toBe("too_slow");
});

it("DEP-2: a step that nobody lets begin ends without a rollback, in the words of the reviewer", async () => {
  await look(5, { is: "waiting", awaits });
  await look(900, { is: "rejected", detail: "ana said no on GitHub: not on a Friday" });
  const { end, steps } = await world.standing();
  expect(end).toMatchObject({ outcome: "failed", reason: expect.stringContaining("ana said no on GitHub") });
  expect(steps).toHaveLength(1);
  expect((await world.environment()).hold).toBeUndefined();
});
