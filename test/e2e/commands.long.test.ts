import { describe, expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { CLEAN, checks } from "./pulls.ts";
import { createTalkingWorld, DONE, fresh, REFUSED, talkIn } from "./talk.ts";
import type { World } from "./world.ts";

let world: World;
shareWorld(createTalkingWorld, (made) => {
  world = made;
});

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
      ["failure", expect.stringMatching(/^1 blocking error: (assignment to constant|self-comparison) in /)],
    ]);
    const other = await say(second.number, `/forge undismiss ${second.ids[0]}`, "write-er");
    expect(other.answers).toEqual([
      `\`${second.ids[0]}\` is covered by what was said about \`${first.ids[0]}\`. To end that: \`/forge undismiss ${first.ids[0]}\``,
    ]);
    await say(first.number, `/forge undismiss ${first.ids[0]}`, "write-er");
    await push(second.branch);
    expect(checks(world, second.number)).toEqual([
      ["failure", "2 blocking errors: assignment to constant, self-comparison"],
    ]);
  });

  it("a secret is dismissed one by one, by push and with a reason", async () => {
    const token = ["ghp", "_", "k3JxQ9mW7vT2pLs8YcR4nBd6HfZ1gAe5UoXi"].join("");
    const { number, ids } = await reviewed({ [fresh("key")]: `export const token = "${token}";\n` });
    const [id] = ids;
    const refusals = [
      ["triage-er", "", "`dismiss` of a secret needs push permission here; `triage-er` has triage."],
      ["write-er", "", "Dismissing a secret needs a reason."],
      ["write-er", "revoked --rule", `\`${id}\` is a secret: those are dismissed one by one`],
    ] as const;
    for (const [by, rest, text] of refusals) {
      const { reactions, answers } = await say(number, `/forge dismiss ${id} ${rest}`, by);
      expect(reactions).toEqual(REFUSED);
      expect(answers[0]).toContain(text);
    }
    expect(conclusion(number)).toBe("failure");
    expect((await say(number, `/forge dismiss ${id} revoked today`, "write-er")).reactions).toEqual(DONE);
    expect(conclusion(number)).toBe("success");
  });

  it("a pause of the repository reaches every pull request", async () => {
    const { number } = await reviewed({ [fresh("here")]: CLEAN });
    await say(number, "/forge pause --repository", "maintain-er");
    const other = await reviewed();
    expect(checks(world, other.number)[0]?.[1]).toContain("paused by maintain-er for the repository");
    expect((await say(other.number, "/forge unpause")).answers[0]).toContain("`/forge unpause --repository`");
    await say(number, "/forge unpause --repository", "maintain-er");
    await say(other.number, "/forge review");
    expect(conclusion(other.number)).toBe("failure");
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
