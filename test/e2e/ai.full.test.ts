import { expect, it } from "vitest";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { boxed } from "../needs/sandbox.ts";
import { CLAIM, DEMONSTRATION, FIX, FORGETFUL, MENDED, READ_CART } from "./cart.ts";
import { openPull } from "./pulls.ts";
import { worldWithModel } from "./with-model.ts";

const at = worldWithModel();
const begin = (script: Parameters<typeof at.begin>[0], variables?: Record<string, string>) =>
  at.begin(script, READ_CART, variables);

const REFUTED = { ...CLAIM, line: 2, quote: "let sum = 0;", claim: "The sum starts wrong." };

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
  const findings = text.includes("item.price * item.count") ? [] : [{ ...CLAIM, fix: FIX }, REFUTED];
  return { calls: [{ name: "complete", input: { summary: "Sums prices.", findings } }] };
}

function pull() {
  return at.world.github.pullRequest("acme/shop", 1);
}

async function push(source: string) {
  await at.world.github.commit("acme/shop", "topic", {
    files: { "src/total.js": source },
    message: "Mend",
    author: "ana",
  });
  await at.world.settled();
}

async function eventsOfLatestRun() {
  const { store } = at.world.forge!;
  const [run] = await listRuns(store, { limit: 1 });
  return readEvents(store, run!.traceId);
}

boxed(
  "REV-4: a fault that a model claims is shown by a test, posted once, and resolved when the code is mended",
  async () => {
    await begin(reader);
    await openPull(at.world, { "src/total.js": FORGETFUL }, { branch: "topic" });
    await at.world.settled();
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
  await begin(reader, { FORGE_DAY_USD: "0.0001" });
  await openPull(at.world, { "src/total.js": FORGETFUL }, { branch: "topic" });
  await at.world.settled();
  expect(at.model.asked).toEqual([]);
  const [check] = pull().checkRuns;
  expect(check?.conclusion).toBe("action_required");
  expect(check?.title).toMatch(/^Not fully reviewed: the AI layer reached the budget of \$/);
  expect(pull().reviewComments).toEqual([]);
});

it("LLM-1: a model that does not answer leaves the free layers and a check that is not green", async () => {
  await begin(() => ({ status: 401, message: "no such key", type: "authentication_error" }));
  await openPull(at.world, { "src/total.js": FORGETFUL }, { branch: "topic" });
  await at.world.settled();
  expect(pull().checkRuns[0]).toMatchObject({ conclusion: "action_required" });
  expect(JSON.stringify(pull())).not.toContain("a-key-for-tests-only");
});

it("MEM-2: what one review remembers, the next one is told, fenced and with where it comes from", async () => {
  let remembered = false;
  await begin(() => {
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
  await openPull(at.world, { "src/total.js": FORGETFUL }, { branch: "topic", title: "Sum prices" });
  await at.world.settled();
  await push(MENDED);
  const told = JSON.stringify(at.model.asked.at(-1)?.messages);
  expect(told).toMatch(/<data id=\\"[0-9a-f]{8}\\" from=\\"memory, [^>]*concluded by a model/);
  expect(told).toContain("The total is always in cents.");
  const types = (await eventsOfLatestRun()).map(({ type }) => type);
  expect(types).toContain("memory.recalled");
});
