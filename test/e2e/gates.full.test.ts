import { expect, it } from "vitest";
import { boxed } from "../needs/sandbox.ts";
import { APPROVE_TESTS, ASK_FOR_MONEY, gatedReviews, spender, tester } from "./gated.ts";

const { at, begin, pull, say, said, eventsOf, status, toldOfCall } = gatedReviews();

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
    const paid = at.model.asked.length;

    expect(await say(1, "/forge approve G-1", "eve")).toEqual({
      reactions: ["eyes", "confused"],
      answers: ["`approve` needs push permission here; `eve` has read."],
    });
    expect(await status()).toBe("waiting");

    await at.world.stop();
    await at.world.start();
    await at.world.settled();
    expect(await status()).toBe("waiting");
    expect(at.model.asked).toHaveLength(paid);
    expect(said()).toHaveLength(2);

    const { reactions } = await say(1, "/forge approve G-1 once is enough");
    expect(reactions).toEqual(["eyes", "rocket"]);
    expect(await status()).toBe("completed");
    expect(pull().checkRuns[0]).toMatchObject({ conclusion: "success" });
    expect(at.model.asked).toHaveLength(paid + 1);
    expect(await eventsOf("tool.called")).toMatchObject([{ tool: "run_tests" }]);
    expect(toldOfCall()).toContain("1 passed, 0 failed");
    expect(JSON.stringify(at.model.asked.at(-1)!.messages)).toContain("said: once is enough");
    expect(said()[0]).toMatch(/^\*\*G-1 approved\*\* by `ben`: this call of `run_tests` runs\./);

    expect((await say(1, "/forge reject G-1")).answers).toEqual([
      "`G-1` was approved by `ben` already; the first answer counts.",
    ]);
  },
);

it("SAFE-3: a review that has spent most of its money asks before it goes on; approved, it goes on up to the full budget", async () => {
  await begin(spender, ASK_FOR_MONEY);
  expect(await status()).toBe("waiting");
  const paid = at.model.asked.length;
  expect(pull().checkRuns[0]).toMatchObject({ title: "Waiting for a word on the budget (G-1)" });
  expect(said()[0]).toMatch(
    /^\*\*\$0\.\d\d of \$0\.13 is spent, and the review of `[0-9a-f]{7}` is not done\*\*.*Next: findings are checked again\.\n/,
  );
  await at.world.stop();
  await at.world.start();
  await at.world.settled();
  expect(at.model.asked).toHaveLength(paid);
  await say(1, "/forge approve G-1");
  expect(await status()).toBe("completed");
  expect(at.model.asked).toHaveLength(paid + 1);
  expect(pull().checkRuns[0]).toMatchObject({
    conclusion: "neutral",
    title: expect.stringMatching(/^1 advisory finding/),
  });
  expect(pull().reviewComments).toHaveLength(1);
});
