import { afterEach, expect, it } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { readEvents } from "../../src/store/read-events.ts";
import { listRuns } from "../../src/store/read-runs.ts";
import { goodMind, SHOP } from "./implementer.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
let model: ScriptedModel | undefined;
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
  await model?.stop();
  model = undefined;
});

async function begin(script: Parameters<typeof startScriptedModel>[0], files: Record<string, string> = {}) {
  model = await startScriptedModel(script);
  const environment = { ANTHROPIC_BASE_URL: model.anthropicUrl, ANTHROPIC_API_KEY: "a-key-for-tests-only" };
  world = await createWorld({ files: { ...SHOP, ...files }, environment });
}

it("GH-1, PLAN-1, IMPL-1: goes from a label to a pull request that is ready, and ends when it is merged", async () => {
  await begin(goodMind);
  const { github } = world;
  const { number } = await github.openIssue("acme/shop", { title: "Prices have odd digits", body: "250 is shown as 2.5", by: "ana" });
  await github.addLabel("acme/shop", number, "forge:implement", "ben");
  await world.settled();
  const [run] = await listRuns(world.forge!.store, { limit: 10 });
  const events = await readEvents(world.forge!.store, run!.traceId);
  console.log(events.map((e) => e.type + " " + JSON.stringify(e.payload).slice(0, 150)).join("\n"));
  for (const c of github.issue("acme/shop", number).comments) console.log(c.body);
  const pull = github.pullRequest("acme/shop", number + 1);
  console.log(pull.title, pull.draft, pull.body);
  expect(pull.draft).toBe(false);
});
