import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import type { ExplainedMoment, Explanation } from "../../../src/domain/explanations.ts";
import { replayDeployment } from "../../../src/pipeline/deploy/evolve.ts";
import { describeDeployment } from "../../../src/pipeline/deploy/explain/describe-deployment.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { deployWorld, errors, NEW, OLD } from "./deploy-world.ts";

const world = deployWorld("staging");
let run = "";
const BAD = errors([20_000, 4_000], [380_000, 760]);

const explanation = (of: ExplainedMoment, words = "20 % failed."): Explanation => ({
  ...{ of, words, places: [] },
  cost: { usd: 0.01, tokens: 1_100, cachedShare: 0, calls: 1, models: ["anthropic/claude-haiku-5-5"] },
});
const explain = (of: ExplainedMoment, words?: string) =>
  world.tell({ type: "deploy.explained", runId: run, explanation: explanation(of, words) });
const done = (step: number) =>
  world.tell({
    type: "deploy.stepped",
    runId: run,
    step,
    outcome: { is: "done" },
    handle: { deploymentId: 40 + step },
  });
/** What a model is asked to explain, in the order in which that was asked for. */
async function asked() {
  const rows = await world.store.read.all<{ payload: string; key: string; runId: string | null; priority: number }>(
    sql`select payload, key, run_id as runId, priority from jobs where kind = 'explain' order by id`,
  );
  return rows.map(({ payload, ...row }) => ({ ...row, of: JSON.parse(payload).of }));
}
async function explainedIn(kind: string) {
  const rows = await world.store.read.all<{ payload: string }>(
    sql`select payload from effects where kind = ${kind} order by sequence`,
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}

/** A version is at its only step. */
async function atItsStep() {
  run = await world.request({ cause: "command" });
  await world.observe({ previous: OLD }, { steps: [100], bake_minutes: 1, ask_minutes: 1, watch_minutes: 0 });
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "12 passed, 0 failed." });
  await done(0);
}

async function goBad() {
  for (let look = 0; look < 4; look += 1) {
    world.minutes += 1;
    await world.probe(0, BAD);
  }
}

const BACK: ExplainedMoment = { is: "rolled_back", step: 0 };

it("TOOLS-3: a rollback asks for words once, as a job that no cancelling of the run takes along, and words that come in time are in the issue", async () => {
  await atItsStep();
  await goBad();
  // People were asked first, as one look said too little.
  expect((await asked()).slice(-1)).toEqual([{ of: BACK, key: `explain:${run}`, runId: null, priority: 9 }]);
  expect((await asked()).filter(({ of }) => of.is === "rolled_back")).toHaveLength(1);
  const before = await world.standing();
  expect(before.back).toBeDefined();
  expect(await explain(BACK)).toBeUndefined();
  const { explained, ...after } = await world.standing();
  // Nothing else than the words is different.
  expect(after).toEqual(before);
  expect(explained?.words).toBe("20 % failed.");
  expect(await explain(BACK, "Something else.")).toBe("another verdict counts by now, or this one was explained");
});

it("TOOLS-3: words that come after the end are said in the issue that is there, once", async () => {
  await atItsStep();
  await goBad();
  // There is no earlier healthy version, so the deployment ends at once.
  if ((await world.standing()).end === undefined) await done(1);
  expect((await world.standing()).end).toBeDefined();
  const [opened] = await explainedIn("issue.open");
  expect(opened.evidence.standing.explained).toBeUndefined();
  expect(await explain(BACK)).toBeUndefined();
  const effects = await world.store.read.all<{ key: string }>("select key from effects where kind = 'issue.open'");
  expect(await explainedIn("issue.explain")).toEqual([{ openKey: effects[0]!.key, explanation: explanation(BACK) }]);
  expect((await explainedIn("deploy.check")).at(-1).standing.explained.words).toBe("20 % failed.");
  expect(await explain(BACK)).toBe("another verdict counts by now, or this one was explained");
});

it("TOOLS-3: an unknown health is explained until a person decides, and what comes after that is dropped", async () => {
  await atItsStep();
  for (let look = 0; look < 3; look += 1) {
    world.minutes += 1;
    await world.probe(0, errors([3, 0], [380_000, 760]));
  }
  const of: ExplainedMoment = { is: "unclear", step: 0 };
  expect((await asked()).map((one) => one.of)).toEqual([of]);
  expect(await explain(BACK)).toBe("another verdict counts by now, or this one was explained");
  expect(await explain(of, "Three requests came.")).toBeUndefined();
  expect((await world.standing()).explained?.words).toBe("Three requests came.");
  expect(await world.say("promote", { reason: "looked at it" })).toBeUndefined();
  expect((await world.standing()).explained).toBeUndefined();
});

it("TOOLS-3: where a person goes back nobody is asked why", async () => {
  await atItsStep();
  await world.say("rollback", { reason: "odd prices" });
  expect(await asked()).toEqual([]);
});

it("TOOLS-3: the record for a model names steps, verdict with numbers and what the version brings", async () => {
  await atItsStep();
  await goBad();
  const state = replayDeployment(await readEvents(world.store, run));
  const text = describeDeployment(state!);
  expect(text).toContain(`version: ${NEW}`);
  expect(text).toContain("step 1: deploy of bbbbbbb at 100 % of the traffic: done");
  expect(text).toContain("  the judge: worse, so roll_back");
  expect(text).toMatch(/ {2}errors: worse, .* \(new 0\.2; before 0\.002; times 100; .*compared with concurrent\)/);
  expect(text).toContain("pull request #12 (medium risk, review: approve, 0 open findings): Sum right");
  expect(text).toContain("commit bbbbbbb: Sum right");
});

/** A version waits for a person's yes in production, at 25 % and 100 %. */
async function toGate() {
  run = await world.request({ cause: "merge", id: "merged:13" });
  await world.observe({ previous: OLD }, { steps: [25, 100], approval: true });
  await world.tell({ type: "deploy.verified", runId: run, is: "passed", summary: "12 passed, 0 failed." });
}

const PROPOSED: ExplainedMoment = { is: "proposed", step: 0 };

it.each([
  ["smaller steps", [5, 25, 100], true],
  ["larger steps", [50, 75, 100], false],
  ["fewer steps", [100], false],
  ["the planned steps", [25, 100], false],
  ["steps that fall", [20, 10, 100], false],
  ["steps that do not reach all", [5, 25, 50], false],
])(
  "TOOLS-3: a model that proposes %s changes no plan, and only what is more careful is shown",
  async (_, shares, isShown) => {
    await toGate();
    expect((await asked()).at(-1)).toMatchObject({ of: PROPOSED });
    const before = await world.standing();
    expect(before).toMatchObject({ is: "asking", shares: [25, 100] });
    const told = { type: "deploy.explained", runId: run, explanation: { ...explanation(PROPOSED), shares } } as const;
    expect(await world.tell(told)).toBeUndefined();
    const { explained, ...after } = await world.standing();
    expect(after).toEqual(before);
    expect(explained?.words).toBe("20 % failed.");
    expect(explained?.shares).toEqual(isShown ? shares : undefined);

    await world.say("approve", {}, { login: "eva", id: 3 });
    expect(await world.standing()).toMatchObject({ shares: [25, 100], steps: [{ percentage: 25 }] });
    expect((await world.standing()).explained).toBeUndefined();
  },
);
