import { expect, it } from "vitest";
import type { ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { openPull } from "./pulls.ts";
import { worldWithModel } from "./with-model.ts";

const at = worldWithModel();

const HOUR_MS = 3_600_000;
const DONE: ScriptedReply = { calls: [{ name: "complete", input: { summary: "Counts.", findings: [] } }] };
const LOOK: ScriptedReply = { calls: [{ name: "read_file", input: { path: "README.md" } }] };

function later(seconds: number): ScriptedReply {
  return { status: 429, message: "a word of the provider", type: "rate_limit_error", retryAfterSeconds: seconds };
}

async function begin(script: readonly ScriptedReply[]) {
  await at.begin(script, { ".github/forge.yml": "review:\n  ai: always\n" });
  await openPull(at.world, { "src/a.ts": "export const a = 1;\n" }, { branch: "topic" });
  await at.world.settled();
}

function pull() {
  return at.world.github.pullRequest("acme/shop", 1);
}

async function types() {
  const { store } = at.world.forge!;
  const [run] = await listRuns(store, { limit: 1 });
  return (await readEvents(store, run!.traceId)).map(({ type }) => type);
}

it("LOOP-7: a provider that wants an hour parks the review: the check says so and stays open, and then the review goes on where it was", async () => {
  await begin([LOOK, later(3_600), DONE]);
  const [waiting] = pull().checkRuns;
  expect(waiting).toMatchObject({ status: "in_progress", conclusion: null });
  expect(waiting?.title).toMatch(/^Waiting for the model until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  expect(waiting?.summary).toContain("the model's provider limits requests until then");
  expect(JSON.stringify(pull())).not.toContain("a word of the provider");
  expect(pull().reviews).toEqual([]);
  expect(at.model.asked).toHaveLength(2);

  at.world.clock.advance(HOUR_MS / 2);
  await at.world.settled();
  expect(at.model.asked).toHaveLength(2);

  at.world.clock.advance(HOUR_MS / 2);
  await at.world.settled();
  expect(pull().checkRuns).toHaveLength(1);
  expect(pull().checkRuns[0]).toMatchObject({ status: "completed", conclusion: "success" });
  // The step before the wait was recorded, and is not paid again.
  expect(at.model.asked).toHaveLength(3);
  expect(JSON.stringify(at.model.asked[2]?.messages)).toContain("# Shop");
  expect((await types()).filter((type) => type === "review.parked" || type === "agent.started")).toEqual([
    "agent.started",
    "review.parked",
  ]);
});

it("LOOP-7: a restart in between loses nothing, and a provider that wants a week is not waited for", async () => {
  await begin([later(3_600), later(7 * 86_400)]);
  await at.world.stop();
  at.world.clock.advance(HOUR_MS);
  await at.world.start();
  await at.world.settled();
  expect(pull().checkRuns[0]).toMatchObject({ status: "completed", conclusion: "action_required" });
  expect(pull().checkRuns[0]?.title).toMatch(/^Not fully reviewed: the model's provider asks to wait 168 hours: /);
});

it("GH-3: a push ends the wait: the new head is looked at at once", async () => {
  await begin([later(3_600), DONE]);
  await at.world.github.commit("acme/shop", "topic", {
    ...{ files: { "src/a.ts": "export const a = 2;\n" }, message: "Again", author: "ana" },
  });
  await at.world.settled();
  expect(at.model.asked).toHaveLength(2);
  expect(pull().checkRuns[0]).toMatchObject({ status: "completed", conclusion: "success" });
  expect(
    pull()
      .allCheckRuns.map(({ conclusion }) => conclusion)
      .sort(),
  ).toEqual(["cancelled", "success"]);
});
