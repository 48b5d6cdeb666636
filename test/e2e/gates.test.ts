import { afterEach, expect, it } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import { compareReplay } from "../../src/pipeline/compare-replay.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { boxed } from "../needs/sandbox.ts";
import { openPull } from "./pulls.ts";
import { talkIn } from "./talk.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
let model: ScriptedModel | undefined;
afterEach(async () => {
  await world.expectGoodManners();
  await world.end();
  await model?.stop();
  model = undefined;
});

const HOUR = 3_600_000;
const CALL = { files: ["test/total.test.js"], name: "sums" };
const TEST = `import assert from "node:assert";
import { test } from "node:test";
import { total } from "../src/total.js";
test("sums", () => assert.equal(total([{ price: 3 }, { price: 4 }]), 7));
`;
const BASE = {
  "package.json": '{ "name": "cart", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/total.js": "export function total(items) {\n  let sum = 0;\n  return sum;\n}\n",
  "test/total.test.js": TEST,
};
const HEAD =
  "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price;\n  }\n  return sum;\n}\n";
const APPROVE_TESTS = "review:\n  ai: always\nsafety:\n  approve: [run_tests]\n";

/** Wants to run a test first; then it is done, whatever came of that. */
function tester({ messages }: Asked): ScriptedReply {
  const result = messages.some(({ role }) => role === "tool");
  if (!result) return { calls: [{ name: "run_tests", input: CALL }] };
  return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings: [] } }] };
}

async function begin(script: Parameters<typeof startScriptedModel>[0], configuration: string) {
  model = await startScriptedModel(script);
  world = await createWorld({
    files: { ...BASE, ".github/forge.yml": configuration },
    environment: model.environment,
  });
  world.github.createAccount("eve");
  world.github.setRole("acme/shop", "eve", "read");
  await openPull(world, { "src/total.js": HEAD }, { branch: "topic" });
  await world.settled();
}

const { say } = talkIn(() => world);

function pull() {
  return world.github.pullRequest("acme/shop", 1);
}

/** What Forge says in the conversation, without its markers. */
function said(): string[] {
  const own = pull().comments.filter(({ by }) => by === "forge[bot]");
  return own.map(({ body }) => body.split("\n<!-- forge:")[0]!);
}

async function eventsOf(type: RunEvent["type"]): Promise<unknown[]> {
  const { store } = world.forge!;
  const runs = await listRuns(store, { limit: 5 });
  const logs = await Promise.all(runs.map(({ traceId }) => readEvents(store, traceId)));
  return logs.flatMap((events) => events.filter((event) => event.type === type).map(({ payload }) => payload));
}

/** How the newest run stands, after its log was replayed to the same. */
async function status() {
  const { store } = world.forge!;
  const [run] = await listRuns(store, { limit: 1 });
  expect((await compareReplay(store, run!.traceId)).differences).toEqual([]);
  return run?.status;
}

/** What the model was told of its call. */
function toldOfCall(): string {
  const told = model!.asked.at(-1)!.messages.filter(({ role }) => role === "tool");
  return JSON.stringify(told.map(({ content }) => content));
}

boxed(
  "LOOP-15: a call that needs a person waits, also over a restart; approved, exactly that call runs and the review ends",
  async () => {
    await begin(tester, APPROVE_TESTS);
    expect(await status()).toBe("waiting");
    expect(pull().checkRuns[0]).toMatchObject({ status: "in_progress", title: "Waiting for approval of a call (G-1)" });
    expect(said()).toHaveLength(1);
    expect(said()[0]).toContain("`/forge approve G-1`");
    expect(said()[0]).toContain('"test/total.test.js"');
    expect(await eventsOf("tool.called")).toEqual([]);
    const paid = model!.asked.length;

    expect(await say(1, "/forge approve G-1", "eve")).toEqual({
      reactions: ["eyes", "confused"],
      answers: ["`approve` needs push permission here; `eve` has read."],
    });
    expect(await status()).toBe("waiting");

    await world.stop();
    await world.start();
    await world.settled();
    expect(await status()).toBe("waiting");
    expect(model!.asked).toHaveLength(paid);
    expect(said()).toHaveLength(2);

    const { reactions } = await say(1, "/forge approve G-1 once is enough");
    expect(reactions).toEqual(["eyes", "rocket"]);
    expect(await status()).toBe("completed");
    expect(pull().checkRuns[0]).toMatchObject({ conclusion: "success" });
    expect(model!.asked).toHaveLength(paid + 1);
    expect(await eventsOf("tool.called")).toMatchObject([{ tool: "run_tests" }]);
    expect(toldOfCall()).toContain("1 passed, 0 failed");
    expect(JSON.stringify(model!.asked.at(-1)!.messages)).toContain("said: once is enough");
    expect(said()[0]).toMatch(/^\*\*G-1 approved\*\* by `ben`: this call of `run_tests` runs\./);

    expect((await say(1, "/forge reject G-1")).answers).toEqual([
      "`G-1` was approved by `ben` already; the first answer counts.",
    ]);
  },
);

boxed(
  "LOOP-15: a call that is rejected does not run; the model is told why, and people see it in the check",
  async () => {
    await begin(tester, APPROVE_TESTS);
    expect((await say(1, "/forge reject not on this branch")).reactions).toEqual(["eyes", "rocket"]);
    expect(await status()).toBe("completed");
    expect(await eventsOf("tool.called")).toEqual([]);
    expect(toldOfCall()).toContain("a person denied it: not on this branch");
    expect(pull().checkRuns[0]?.summary).toContain("A call of run_tests did not run: ben rejected G-1.");
  },
);

boxed("SAFE-3: a call that nobody answers for is not made: after a day the review goes on without it", async () => {
  await begin(tester, APPROVE_TESTS);
  world.clock.advance(23 * HOUR);
  await world.settled();
  expect(await status()).toBe("waiting");
  world.clock.advance(HOUR);
  await world.settled();
  expect(await status()).toBe("completed");
  expect(await eventsOf("tool.called")).toEqual([]);
  expect(toldOfCall()).toContain("nobody answered in time");
  expect(said()[0]).toMatch(/^\*\*G-1 was not answered in time\*\*: the review goes on without the call/);
  expect((await say(1, "/forge approve G-1")).answers[0]).toContain("`G-1` was not answered in time");
});

boxed("LOOP-15: two calls of one reply are two questions, and only the one that was approved runs", async () => {
  const both: ScriptedReply = {
    calls: [
      { name: "run_tests", input: CALL },
      { name: "run_tests", input: {} },
    ],
  };
  const done: ScriptedReply = { calls: [{ name: "complete", input: { summary: "Sums prices.", findings: [] } }] };
  await begin(({ messages }) => (messages.some(({ role }) => role === "tool") ? done : both), APPROVE_TESTS);
  await say(1, "/forge approve");
  expect(await status()).toBe("waiting");
  expect(await eventsOf("tool.called")).toHaveLength(1);
  expect(model!.asked).toHaveLength(1);
  await world.stop();
  await world.start();
  await say(1, "/forge reject G-2 once was enough");
  expect(await status()).toBe("completed");
  expect(await eventsOf("tool.called")).toHaveLength(1);
  expect(toldOfCall()).toMatch(/1 passed, 0 failed.*a person denied it: once was enough/);
});

boxed("GH-14a: a push voids what waits; the new head is asked about anew", async () => {
  await begin(tester, APPROVE_TESTS);
  const files = { "src/more.js": "export const more = 1;\n" };
  await world.github.commit("acme/shop", "topic", { files, message: "More", author: "ana" });
  await world.settled();
  expect(said()[0]).toMatch(/^\*\*G-1 is void\*\*: it was asked for `[0-9a-f]{7}`, and the branch is at/);
  expect(said()[1]).toContain("`/forge approve G-2`");
  expect((await say(1, "/forge approve G-1")).answers[0]).toContain("so it no longer counts");
  expect((await say(1, "/forge status")).answers[0]).toMatch(
    /^\*\*The review of `[0-9a-f]{7}` waits for an answer\*\* \(G-2,/,
  );
  const [check] = pull().checkRuns;
  world.github.pressCheckRunButton("acme/shop", check!.id, "approve-G-2", "ben");
  await world.settled();
  expect(pull().checkRuns[0]?.actions).toEqual([]);
  expect(await eventsOf("tool.called")).toHaveLength(1);
  expect(await status()).toBe("completed");
});

const ASK_FOR_MONEY = "review:\n  ai: always\nsafety:\n  cost:\n    review: 0.13\n  gates:\n    cost_overrun: ask\n";
const CLAIM = {
  file: "src/total.js",
  line: 4,
  quote: "sum += item.price;",
  kind: "logic",
  severity: "error",
  claim: "The count of an item is not multiplied in.",
  scenario: "Two items for 3 cost 3, not 6.",
  confidence: 0.9,
};

/** The reader spends $0.105 of the $0.13 and claims a fault; the verifier is cheap and agrees. */
function spender({ messages, toolNames }: Asked): ScriptedReply {
  if (toolNames.length === 0) return { text: "Nothing was learnt." };
  if (JSON.stringify(messages).includes("Your task is to refute each claim")) {
    const judgements = [{ claim: 1, verdict: "stands", reason: "no count" }];
    return { calls: [{ name: "complete", input: { judgements } }] };
  }
  const usage = { inputTokens: 210_000, outputTokens: 100 };
  return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings: [CLAIM] } }], usage };
}

it("SAFE-3: a review that has spent most of its money asks before it goes on; approved, it goes on up to the full budget", async () => {
  await begin(spender, ASK_FOR_MONEY);
  expect(await status()).toBe("waiting");
  const paid = model!.asked.length;
  expect(pull().checkRuns[0]).toMatchObject({ title: "Waiting for a word on the budget (G-1)" });
  expect(said()[0]).toMatch(
    /^\*\*\$0\.\d\d of \$0\.13 is spent, and the review of `[0-9a-f]{7}` is not done\*\*.*Next: findings are checked again\.\n/,
  );
  await world.stop();
  await world.start();
  await world.settled();
  expect(model!.asked).toHaveLength(paid);
  await say(1, "/forge approve G-1");
  expect(await status()).toBe("completed");
  expect(model!.asked).toHaveLength(paid + 1);
  expect(pull().checkRuns[0]).toMatchObject({
    conclusion: "neutral",
    title: expect.stringMatching(/^1 advisory finding/),
  });
  expect(pull().reviewComments).toHaveLength(1);
});

it.each([
  ["rejected", () => say(1, "/forge reject G-1")],
  [
    "not answered for two hours",
    async () => {
      world.clock.advance(2 * HOUR);
      await world.settled();
    },
  ],
])("SAFE-3: a review whose question about money is %s ends with what it found, and says so", async (_how, answer) => {
  await begin(spender, ASK_FOR_MONEY);
  const paid = model!.asked.length;
  await answer();
  expect(await status()).toBe("completed");
  expect(model!.asked).toHaveLength(paid);
  expect(pull().checkRuns[0]?.conclusion).toBe("action_required");
  expect(pull().checkRuns[0]?.title).toMatch(/^Not fully reviewed: .*the AI layer ended at \$0\.11 of /);
});
