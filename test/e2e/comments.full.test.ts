import { describe, expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { checks } from "./pulls.ts";
import { createTalkingWorld, DONE, talkIn } from "./talk.ts";
import type { World } from "./world.ts";

let world: World;
/** All talk is on one pull request. */
let number: number;
let ids: readonly string[];
shareWorld(createTalkingWorld, async (made) => {
  world = made;
  ({ number, ids } = await reviewed());
});

const { view, reviewed, outcome, say } = talkIn(() => world);

describe("acknowledgement and answers (GH-4)", () => {
  it("help, status, config and explain are answered in the conversation, with a reaction each", async () => {
    const [id] = ids;
    const help = await say(number, "/forge help", "read-er");
    expect(help.reactions).toEqual(DONE);
    expect(help.answers).toHaveLength(1);
    expect(help.answers[0]).toContain("| `/forge review` |");
    const status = await say(number, "/forge status", "read-er");
    expect(status.answers[0]).toContain("**Ledger**: 2 findings open (2 errors), 2 blocking; 0 dismissed, 0 fixed.");
    const config = await say(number, "/forge config", "triage-er");
    expect(config.answers[0]).toContain("**Nothing is configured**");
    const why = await say(number, `/forge explain ${id!.slice(0, 5)}`, "read-er");
    expect(why.reactions).toEqual(DONE);
    expect(why.answers[0]).toContain(`\`${id}\``);
    expect(why.answers[0]).toContain("first seen");
  });

  it("several commands of a comment run in order, and one that is refused keeps no other from running", async () => {
    const both = await say(
      number,
      "Two things:\n/forge help\n/forge override review because\n/forge status",
      "read-er",
    );
    expect(both.reactions?.toSorted()).toEqual(["confused", "eyes", "rocket"]);
    expect(both.answers).toHaveLength(2);
    expect(both.answers[1]).toContain(
      "**Refused lately**:\n- `read-er`: `override` needs maintain permission here; `read-er` has read.",
    );
  });

  it("an edited or deleted comment runs nothing, also when it changes before its turn", async () => {
    const known = view(number).comments.length;
    const { id } = world.github.comment("acme/shop", number, { by: "ben", body: "Nothing here" });
    world.github.editComment(id, { by: "ben", body: "/forge help" });
    await world.settled();
    const early = world.github.comment("acme/shop", number, { by: "ben", body: "/forge help" });
    world.github.editComment(early.id, { by: "ben", body: "/forge status" });
    const gone = world.github.comment("acme/shop", number, { by: "ben", body: "/forge help" });
    world.github.deleteComment(gone.id, "ben");
    await world.settled();
    const said = view(number).comments.slice(known);
    expect(said.map(({ by }) => by)).toEqual(["ben", "ben"]);
    expect(said[1]?.reactions.map(({ content }) => content)).toEqual(["eyes", "confused"]);
  });

  it("a comment is consumed once, whichever events it causes; comments by bots start nothing (GH-8b)", async () => {
    world.github.faults.add({ kind: "duplicate", match: { event: "issue_comment" }, times: 3 });
    const help = await say(number, "/forge help");
    expect(help).toMatchObject({ reactions: DONE });
    expect(help.answers).toHaveLength(1);
    world.github.createAccount("other[bot]", "Bot");
    world.github.setRole("acme/shop", "other[bot]", "admin");
    expect(await say(number, "/forge help", "other[bot]")).toEqual({ reactions: [], answers: [] });
  });

  it("in the text of a review, which has no reactions, a refusal is said in words", async () => {
    const body = "Looks odd.\n/forge override review because";
    await world.github.submitReview("acme/shop", number, { by: "write-er", event: "COMMENT", body });
    await world.settled();
    expect(view(number).comments.at(-1)?.body).toContain(
      "`override` needs maintain permission here; `write-er` has push.",
    );
  });
});

describe("GH-13: nothing is there twice", () => {
  it("when GitHub's answer to a comment, a reaction or a check is lost", async () => {
    const command: Readonly<Record<string, string>> = {
      "checks/update": `/forge dismiss ${ids[0]}`,
      "issues/create-comment": "/forge help",
      "reactions/create-for-issue-comment": "/forge help",
    };
    for (const [operation, body] of Object.entries(command)) {
      const fault = world.github.faults.add({ kind: "lostResponse", match: { operation }, times: 1 });
      const { reactions, answers } = await say(number, body);
      expect(fault.hits, operation).toBe(1);
      fault.remove();
      expect(reactions).toEqual(DONE);
      expect(answers).toHaveLength(body === "/forge help" ? 1 : 0);
    }
    expect(checks(world, number)).toEqual([
      ["failure", expect.stringMatching(/^1 blocking error: (assignment to constant|self-comparison) in /)],
    ]);
  });

  it("when Forge is stopped and started again in the middle", async () => {
    const { id } = world.github.comment("acme/shop", number, {
      by: "ben",
      body: `/forge dismiss ${ids[1]}\n/forge help\n/forge status`,
    });
    await world.github.idle();
    await world.stop();
    await world.start();
    const { reactions, answers } = await outcome(number, [id]);
    expect(reactions).toEqual([DONE]);
    expect(answers).toHaveLength(2);
  });
});
