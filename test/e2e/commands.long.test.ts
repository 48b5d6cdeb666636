import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checks } from "./pulls.ts";
import { createTalkingWorld, DONE, REFUSED, talkIn } from "./talk.ts";
import type { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await createTalkingWorld();
});
afterEach(() => world.expectGoodManners());
afterAll(() => world.end());

const { reviewed, push, say, conclusion } = talkIn(() => world);

describe("commands over several pull requests and reviews", () => {
  it("a rule is dismissed everywhere by push, also in another pull request, and comes back with it", async () => {
    const first = await reviewed();
    const second = await reviewed();
    expect((await say(first.number, `/forge dismiss ${first.ids[0]} --rule`, "triage-er")).reactions).toEqual(REFUSED);
    expect((await say(first.number, `/forge dismiss ${first.ids[0]} noise --rule`, "write-er")).reactions).toEqual(
      DONE,
    );
    await push(second.branch);
    expect(checks(world, second.number)).toEqual([
      ["failure", expect.stringMatching(/^1 blocking error: (const assign|self compare) in /)],
    ]);
    const other = await say(second.number, `/forge undismiss ${second.ids[0]}`, "write-er");
    expect(other.answers).toEqual([
      `\`${second.ids[0]}\` is covered by what was said about \`${first.ids[0]}\`. To end that: \`/forge undismiss ${first.ids[0]}\``,
    ]);
    await say(first.number, `/forge undismiss ${first.ids[0]}`, "write-er");
    await push(second.branch);
    expect(checks(world, second.number)).toEqual([["failure", "2 blocking errors: const assign, self compare"]]);
  });

  it("GH-8b: the limit of reviews holds whoever asks, and what the check says stands", async () => {
    const { number } = await reviewed();
    for (let n = 0; n < 5; n += 1) expect((await say(number, "/forge review")).reactions).toEqual(DONE);
    const { reactions, answers } = await say(number, "/forge review");
    expect(reactions).toEqual(REFUSED);
    expect(answers[0]).toContain("There were 6 reviews in an hour on this pull request, which is the limit.");
    expect(conclusion(number)).toBe("failure");
  });
});
