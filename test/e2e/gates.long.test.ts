import { expect, it } from "vitest";
import type { ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { boxed } from "../needs/sandbox.ts";
import { APPROVE_TESTS, ASK_FOR_MONEY, CALL, gatedReviews, spender, tester } from "./gated.ts";

const HOUR = 3_600_000;
const { at, begin, pull, say, said, eventsOf, status, toldOfCall } = gatedReviews();

boxed("LOOP-15: a call that is rejected does not run; the model gets the reason, and the check shows it", async () => {
  await begin(tester, APPROVE_TESTS);
  expect((await say(1, "/forge reject not on this branch")).reactions).toEqual(["eyes", "rocket"]);
  expect(await status()).toBe("completed");
  expect(await eventsOf("tool.called")).toEqual([]);
  expect(toldOfCall()).toContain("a person denied it: not on this branch");
  expect(pull().checkRuns[0]?.summary).toContain("A call of run_tests did not run: ben rejected G-1.");
});

boxed("SAFE-3: a call that nobody answers for is not made: after a day the review goes on without it", async () => {
  await begin(tester, APPROVE_TESTS);
  at.world.clock.advance(23 * HOUR);
  await at.world.settled();
  expect(await status()).toBe("waiting");
  at.world.clock.advance(HOUR);
  await at.world.settled();
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
  expect(at.model.asked).toHaveLength(1);
  await at.world.stop();
  await at.world.start();
  await say(1, "/forge reject G-2 once was enough");
  expect(await status()).toBe("completed");
  expect(await eventsOf("tool.called")).toHaveLength(1);
  expect(toldOfCall()).toMatch(/1 passed, 0 failed.*a person denied it: once was enough/);
});

boxed("GH-14a: a push voids what waits; the new head is asked about anew", async () => {
  await begin(tester, APPROVE_TESTS);
  const files = { "src/more.js": "export const more = 1;\n" };
  await at.world.github.commit("acme/shop", "topic", { files, message: "More", author: "ana" });
  await at.world.settled();
  expect(said()[0]).toMatch(/^\*\*G-1 is void\*\*: it was asked for `[0-9a-f]{7}`, and the branch is at/);
  expect(said()[1]).toContain("`/forge approve G-2`");
  expect((await say(1, "/forge approve G-1")).answers[0]).toContain("so it no longer counts");
  expect((await say(1, "/forge status")).answers[0]).toMatch(
    /^\*\*The review of `[0-9a-f]{7}` waits for an answer\*\* \(G-2,/,
  );
  const [check] = pull().checkRuns;
  at.world.github.pressCheckRunButton("acme/shop", check!.id, "approve-G-2", "ben");
  await at.world.settled();
  expect(pull().checkRuns[0]?.actions).toEqual([]);
  expect(await eventsOf("tool.called")).toHaveLength(1);
  expect(await status()).toBe("completed");
});

it.each([
  ["rejected", () => say(1, "/forge reject G-1")],
  [
    "not answered for two hours",
    async () => {
      at.world.clock.advance(2 * HOUR);
      await at.world.settled();
    },
  ],
])("SAFE-3: a review whose question about money is %s ends with what it found, and says so", async (_how, answer) => {
  await begin(spender, ASK_FOR_MONEY);
  const paid = at.model.asked.length;
  await answer();
  expect(await status()).toBe("completed");
  expect(at.model.asked).toHaveLength(paid);
  expect(pull().checkRuns[0]?.conclusion).toBe("action_required");
  expect(pull().checkRuns[0]?.title).toMatch(/^Not fully reviewed: .*the AI layer ended at \$0\.11 of /);
});
