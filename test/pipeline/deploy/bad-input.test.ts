import { expect, it } from "vitest";
import { type StepOutcome, UNCLEAR_RUN } from "../../../src/domain/deployments.ts";
import { deployWorld, errors, NEW, OLD } from "./deploy-world.ts";

const world = deployWorld();
let run = "";
const EVA = { login: "eva", id: 3 };

/** A version is let through, and its first step is begun; what runs there was never found healthy by Forge, and is gone back to all the same. */
async function begun(settings = {}) {
  run = await world.request();
  await world.observe({}, settings);
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "" });
  await world.say("approve", {}, EVA);
}
const stepped = (step: number, outcome: StepOutcome) =>
  world.tell({ type: "deploy.stepped", runId: run, step, outcome, handle: {} });
const beginFails = async (code: string) => {
  const error = {
    code,
    message: "GitHub said no.",
    source: "validation",
    severity: "high",
    recoverability: "manual",
    context: {},
  };
  const effect = { key: "k", kind: "deployment.begin" } as const;
  await world.tell({ type: "effect.failed", runId: run, effect, error } as never);
};

it("PIPE-4: what is merged while the environment is held is refused, and deployed when somebody asks after that", async () => {
  await world.say("hold", { environment: "production", reason: "the sale is on" });
  run = await world.request();
  await world.observe();
  expect(await world.standing()).toMatchObject({ steps: [], end: { outcome: "refused", refusal: "held" } });
  await world.say("release");
  expect(await world.say("deploy")).toBeUndefined();
  expect(await world.standing()).toMatchObject({ is: "looking" });
});

it.each(["gone", "not_configured"] as const)(
  "PIPE-4: where the commit, its branch or the environment is not there any more (%s) nothing begins",
  async (refusal) => {
    run = await world.request();
    await world.tell({ type: "deploy.observed", runId: run, seen: { refusal } });
    expect(await world.standing()).toMatchObject({ steps: [], end: { outcome: "refused", refusal } });
  },
);

it("DEP-2: what GitHub or its reviewers reject before anything is there ends without a rollback, and holds nothing", async () => {
  await begun();
  await stepped(0, { is: "rejected", detail: "a reviewer rejected it" });
  expect(await world.standing()).toMatchObject({ steps: [{ task: "deploy" }], end: { outcome: "failed" } });
  expect((await world.environment()).hold).toBeUndefined();
});

it.each([
  ["is refused, nothing is there", "deployment_refused", [NEW]],
  ["may have been begun by a run that nothing tells from others, it goes back", UNCLEAR_RUN, [NEW, OLD]],
])("DEP-2: where a step %s", async (_what, code, versions) => {
  await begun();
  await beginFails(code);
  expect((await world.standing()).steps.map(({ sha }) => sha)).toEqual(versions);
});

it("DEP-1: where the version to go back to has no workflow that takes it up, going back is tried again and then people have to act", async () => {
  await begun();
  await stepped(0, { is: "done" });
  await world.say("rollback", { reason: "it looks odd" }, EVA);
  await stepped(1, { is: "never_started" });
  await stepped(2, { is: "never_started" });
  expect(await world.standing()).toMatchObject({
    steps: [{ sha: NEW }, { sha: OLD }, { sha: OLD }],
    end: { outcome: "rollback_failed", reason: "nothing began the step in time" },
  });
  expect(await world.environment()).toMatchObject({ hold: {} });
});

it("DEP-3: a look whose clock went back is left out, and the next ones are judged", async () => {
  await begun();
  await stepped(0, { is: "done" });
  const bad = errors([20_000, 4_000], [380_000, 760]);
  for (const minutes of [2, 1, 3, 4, 5]) {
    world.minutes = minutes;
    await world.probe(0, bad);
  }
  const { steps, is } = await world.standing();
  expect([is, steps.length]).toEqual(["going_back", 2]);
});

it("GH-7: a version that is force-pushed away and is on no branch any more is not deployed", async () => {
  run = await world.request();
  await world.observe({ merged: false, older: false, previous: "c".repeat(40) });
  expect(await world.standing()).toMatchObject({ end: { outcome: "refused", refusal: "not_merged" } });
});
