import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ROLES } from "../../src/domain/roles.ts";
import { CLEAN, FAULTY, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
let sequence = 0;
beforeAll(async () => {
  world = await createWorld();
  for (const role of ROLES) {
    world.github.createAccount(`${role}-er`);
    if (role !== "none") world.github.setRole("acme/shop", `${role}-er`, role);
  }
  await world.settled();
});
afterEach(() => world.expectGoodManners());
afterAll(() => world.end());

const view = (number: number) => world.github.pullRequest("acme/shop", number);

/** A pull request of its own with two blocking findings in it, reviewed. */
async function reviewed(files = { [`same-${sequence}.ts`]: FAULTY }, more = {}) {
  sequence += 1;
  const pull = await openPull(world, files, { branch: `topic-${sequence}`, ...more });
  await world.settled();
  return { ...pull, branch: `topic-${sequence}` };
}

/** Says something in the conversation and waits; what came of it. */
async function say(number: number, body: string, by = "ben") {
  const before = view(number).comments.length;
  const { id } = world.github.comment("acme/shop", number, { by, body });
  await world.settled();
  const { comments } = view(number);
  const own = comments.find((comment) => comment.id === id);
  const reactions = own?.reactions.filter((reaction) => reaction.by === "forge[bot]").map(({ content }) => content);
  const answers = comments.slice(before).filter((comment) => comment.by === "forge[bot]");
  return { reactions, answers: answers.map((comment) => comment.body.split("\n<!-- forge:")[0]) };
}

const done = ["eyes", "rocket"];
const refused = ["eyes", "confused"];
const idIn = (text: string) => /F-[0-9A-Z]{4,8}/.exec(text)![0];
const findingIds = (number: number) => view(number).reviewComments.map(({ body }) => idIn(body));

describe("acknowledgement and answers (GH-4)", () => {
  it("help, status, config and explain are answered in the conversation, with a reaction each", async () => {
    const { number } = await reviewed();
    const help = await say(number, "/forge help", "read-er");
    expect(help.reactions).toEqual(done);
    expect(help.answers).toHaveLength(1);
    expect(help.answers[0]).toContain("| `/forge review` |");
    const status = await say(number, "/forge status", "read-er");
    expect(status.answers[0]).toContain("**Ledger**: 2 findings open (2 error), 2 blocking; 0 dismissed, 0 fixed.");
    const config = await say(number, "/forge config", "triage-er");
    expect(config.answers[0]).toContain("**Nothing is configured**");
    const [id] = findingIds(number);
    const why = await say(number, `/forge explain ${id!.slice(0, 5)}`, "read-er");
    expect(why.reactions).toEqual(done);
    expect(why.answers[0]).toContain(`\`${id}\``);
    expect(why.answers[0]).toContain("first seen");
  });

  it("several commands of a comment run in order, and one that is refused keeps no other from running", async () => {
    const { number } = await reviewed();
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

  it.each([
    ["quote", "> /forge help"],
    ["code block", "```\n/forge help\n```"],
    ["HTML comment", "<!--\n/forge help\n-->"],
    ["look-alike letters", "/f\u043erge help"],
    ["middle of a line", "say /forge help"],
  ])("in a %s nothing is a command", async (_where, body) => {
    const { number } = await reviewed({ [`clean-${sequence}.ts`]: CLEAN });
    expect(await say(number, body)).toEqual({ reactions: [], answers: [] });
  });

  it("an edited or deleted comment runs nothing, also when it changes before its turn", async () => {
    const { number } = await reviewed();
    const { id } = world.github.comment("acme/shop", number, { by: "ben", body: "Nothing here" });
    world.github.editComment(id, { by: "ben", body: "/forge help" });
    await world.settled();
    const early = world.github.comment("acme/shop", number, { by: "ben", body: "/forge help" });
    world.github.editComment(early.id, { by: "ben", body: "/forge status" });
    const gone = world.github.comment("acme/shop", number, { by: "ben", body: "/forge help" });
    world.github.deleteComment(gone.id, "ben");
    await world.settled();
    expect(view(number).comments.map(({ by }) => by)).toEqual(["ben", "ben"]);
    expect(view(number).comments[1]?.reactions.map(({ content }) => content)).toEqual(["eyes", "confused"]);
  });

  it("a comment is consumed once, whichever events it causes", async () => {
    const { number } = await reviewed();
    world.github.faults.add({ kind: "duplicate", match: { event: "issue_comment" }, times: 3 } as never);
    const help = await say(number, "/forge help");
    expect(help).toMatchObject({ reactions: done });
    expect(help.answers).toHaveLength(1);
  });

  it("GH-8b: comments by bots start nothing", async () => {
    const { number } = await reviewed();
    world.github.createAccount("other[bot]", "Bot");
    world.github.setRole("acme/shop", "other[bot]", "admin");
    expect(await say(number, "/forge help", "other[bot]")).toEqual({ reactions: [], answers: [] });
  });

  it("in the text of a review, which has no reactions, a refusal is said in words", async () => {
    const { number } = await reviewed();
    const body = "Looks odd.\n/forge override review because";
    await world.github.submitReview("acme/shop", number, { by: "write-er", event: "COMMENT", body });
    await world.settled();
    expect(view(number).comments.at(-1)?.body).toContain(
      "`override` needs maintain permission here; `write-er` has push.",
    );
  });
});
