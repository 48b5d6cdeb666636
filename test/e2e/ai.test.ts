import { afterEach, expect, it } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { boxed } from "../needs/sandbox.ts";
import { openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
let model: ScriptedModel | undefined;
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
  await model?.stop();
  model = undefined;
});

const BASE = {
  "package.json": '{ "name": "cart", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/total.js": "export function total(items) {\n  let sum = 0;\n  return sum;\n}\n",
  "AGENTS.md": "Prices are in cents.\n",
  ".github/forge.yml": "review:\n  ai: always\n",
};
const HEAD =
  "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price;\n  }\n  return sum;\n}\n";
const MENDED = HEAD.replace("item.price", "item.price * item.count");

const CLAIM = {
  file: "src/total.js",
  line: 4,
  quote: "sum += item.price;",
  kind: "logic",
  severity: "error",
  claim: "The count of an item is not multiplied in.",
  scenario: "Two items for 3 cost 3, not 6.",
  confidence: 0.9,
  fix: { start_line: 4, end_line: 4, replacement: "    sum += item.price * item.count;" },
};
const REFUTED = { ...CLAIM, line: 2, quote: "let sum = 0;", claim: "The sum starts wrong.", fix: undefined };
const DEMONSTRATION = `import assert from "node:assert";
import { test } from "node:test";
import { total } from "../src/total.js";
test("counts", () => assert.equal(total([{ price: 3, count: 2 }]), 6));
`;

/** Claims two faults as long as the first is there; the verifier shows it and refutes the other. */
function reader({ messages }: Asked): ScriptedReply {
  const text = JSON.stringify(messages);
  if (text.includes("Your task is to refute each claim")) {
    if (!text.includes("claim: The sum starts wrong.")) {
      return {
        calls: [{ name: "complete", input: { judgements: [{ claim: 1, verdict: "refuted", reason: "mended" }] } }],
      };
    }
    const demonstration = { path: "test/count.test.js", content: DEMONSTRATION };
    const judgements = [
      { claim: 1, verdict: "stands", reason: "no count", demonstration },
      { claim: 2, verdict: "refuted", reason: "a sum starts at 0" },
    ];
    return { calls: [{ name: "complete", input: { judgements } }] };
  }
  const findings = text.includes("item.price * item.count") ? [] : [CLAIM, REFUTED];
  return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings } }] };
}

async function begin(script: Parameters<typeof startScriptedModel>[0], variables: Record<string, string> = {}) {
  model = await startScriptedModel(script);
  const environment = {
    ...model.environment,
    ...variables,
  };
  return createWorld({ files: BASE, environment });
}

function pull() {
  return world.github.pullRequest("acme/shop", 1);
}

async function push(source: string) {
  await world.github.commit("acme/shop", "topic", {
    files: { "src/total.js": source },
    message: "Mend",
    author: "ana",
  });
  await world.settled();
}

async function eventsOfLatestRun() {
  const { store } = world.forge!;
  const [run] = await listRuns(store, { limit: 1 });
  return readEvents(store, run!.traceId);
}

boxed(
  "REV-4: a fault that a model claims is shown by a test, posted once, and resolved when the code is mended",
  async () => {
    world = await begin(reader);
    await openPull(world, { "src/total.js": HEAD }, { branch: "topic" });
    await world.settled();
    const [check] = pull().checkRuns;
    expect(check).toMatchObject({ conclusion: "failure" });
    expect(check?.summary).toContain("static, security, AI (1 verified, 1 refuted)");
    expect(check?.summary).toMatch(/\$0\.\d\d \(claude-haiku-5-5, claude-sonnet-5-5, [\d,]+ tokens, \d+ % cached\)/);
    const comments = pull().reviewComments.filter(({ inReplyTo }) => inReplyTo === null);
    expect(comments.map(({ line }) => line)).toEqual([4]);
    expect(comments[0]?.body).toContain(
      "**Verified**: the test below fails on this head and passes with the suggestion.",
    );
    expect(comments[0]?.body).toContain("```suggestion\n    sum += item.price * item.count;\n```");
    expect(JSON.stringify(pull())).not.toContain("The sum starts wrong");
    const events = await eventsOfLatestRun();
    expect(events.filter(({ type }) => type === "finding.rejected").map(({ payload }) => payload)).toMatchObject([
      { by: "verifier", reason: "a sum starts at 0" },
    ]);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["agent.started", "agent.completed"]));

    await push(MENDED);
    expect(pull().checkRuns[0]).toMatchObject({ conclusion: "success" });
    const replies = pull().reviewComments.filter(({ inReplyTo }) => inReplyTo !== null);
    expect(replies.map(({ body }) => body.split(".")[0])).toEqual([expect.stringMatching(/^Fixed in `[0-9a-f]{7}`/)]);
  },
);

it("SAFE-2: a budget that is used up ends well: what the analysers found stands, and the check says what did not run", async () => {
  world = await begin(reader, { FORGE_DAY_USD: "0.0001" });
  await openPull(world, { "src/total.js": HEAD }, { branch: "topic" });
  await world.settled();
  expect(model?.asked).toEqual([]);
  const [check] = pull().checkRuns;
  expect(check?.conclusion).toBe("action_required");
  expect(check?.title).toMatch(/^Not fully reviewed: the AI layer reached the budget of \$/);
  expect(pull().reviewComments).toEqual([]);
});

it("GH-8c: an outsider's change is not read by a model until somebody trusts it", async () => {
  world = await begin(reader);
  world.github.createAccount("eve");

  await openPull(world, { "src/total.js": HEAD }, { branch: "topic", by: "eve" });
  await world.settled();
  expect(model?.asked).toEqual([]);
  expect(pull().checkRuns[0]).toMatchObject({ conclusion: "action_required" });
  expect(pull().checkRuns[0]?.title).toContain("/forge trust");
});

it("LLM-1: a model that does not answer leaves the free layers and a check that is not green", async () => {
  world = await begin(() => ({ status: 401, message: "no such key", type: "authentication_error" }));
  await openPull(world, { "src/total.js": HEAD }, { branch: "topic" });
  await world.settled();
  expect(pull().checkRuns[0]).toMatchObject({ conclusion: "action_required" });
  expect(JSON.stringify(pull())).not.toContain("a-key-for-tests-only");
});

it("MEM-2: what one review remembers, the next one is told, fenced and with where it comes from", async () => {
  let remembered = false;
  world = await begin(() => {
    if (remembered) return { calls: [{ name: "complete", input: { summary: "Nothing.", findings: [] } }] };
    remembered = true;
    const note = {
      content: "The total is always in cents.",
      kind: "semantic",
      keywords: ["price", "money", "sum", "amount", "currency"],
      tags: [],
    };
    return { calls: [{ name: "remember", input: note }] };
  });
  await openPull(world, { "src/total.js": HEAD }, { branch: "topic", title: "Sum prices" });
  await world.settled();
  await push(MENDED);
  const told = JSON.stringify(model?.asked.at(-1)?.messages);
  expect(told).toMatch(/<data id=\\"[0-9a-f]{8}\\" from=\\"memory, [^>]*concluded by a model/);
  expect(told).toContain("The total is always in cents.");
  const types = (await eventsOfLatestRun()).map(({ type }) => type);
  expect(types).toContain("memory.recalled");
});
