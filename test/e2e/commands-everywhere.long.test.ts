import { describe, expect, it } from "vitest";
import { ROLES } from "../../src/domain/subjects.ts";
import { shareWorld } from "./end-world.ts";
import { createTalkingWorld, DONE, REFUSED, talkIn } from "./talk.ts";
import type { World } from "./world.ts";

const BOT = "other[bot]";
const LEAVER = "somebody-who-left";

/** Everybody who may say something on a public repository. */
const PEOPLE = [...ROLES.map((role) => `${role}-er`), LEAVER];
const EVERYBODY = [...PEOPLE, BOT];

/** `config` asks for triage. */
const mayConfig = (login: string) => ["triage-er", "write-er", "maintain-er", "admin-er"].includes(login);

let world: World;
shareWorld(createTalkingWorld, async (made) => {
  world = made;
  world.github.createAccount(BOT, "Bot");
  world.github.setRole("acme/shop", BOT, "admin");
  world.github.createAccount(LEAVER);
  world.github.setRole("acme/shop", LEAVER, "admin");
  world.github.setRole("acme/shop", LEAVER, null);
});

const { view, reviewed, outcome, conclusion } = talkIn(() => world);

const COMMAND = "/forge override review because\n/forge pause";
const quoted = COMMAND.replace(/^/gm, "> ");

const INERT: Readonly<Record<string, string>> = {
  quote: quoted,
  "code block": `\`\`\`\n${COMMAND}\n\`\`\``,
  "indented block": `text\n\n${COMMAND.replace(/^/gm, "    ")}`,
  "HTML comment": `<!--\n${COMMAND}\n-->`,
  "look-alike letters": COMMAND.replaceAll("/forge", "/f\u043erge"),
  "full-width slash": COMMAND.replaceAll("/forge", "\uff0fforge"),
  "middle of a line": `say ${COMMAND.replaceAll("\n", " ")}`,
  "Forge's own marker": `${COMMAND}\n<!-- forge:finding:0123456789ab:0123 -->`,
};

describe("commands by everybody in every place (GH-4, GH-14)", () => {
  it("where a text only shows a command nothing is done, whoever wrote it", async () => {
    const { number } = await reviewed();
    const said = EVERYBODY.flatMap((by) =>
      Object.values(INERT).map((body) => world.github.comment("acme/shop", number, { by, body }).id),
    );
    const reviewComment = view(number).reviewComments[0]!;
    for (const by of EVERYBODY) {
      world.github.replyToReviewComment("acme/shop", number, reviewComment.id, { by, body: quoted });
      await world.github.submitReview("acme/shop", number, { by, event: "COMMENT", body: quoted });
    }
    const { reactions, answers } = await outcome(number, said);
    expect(reactions.flat()).toEqual([]);
    expect(answers).toEqual([]);
    expect(conclusion(number)).toBe("failure");
  });

  it("a comment that becomes a command, or is gone before its turn, does nothing, whoever wrote it", async () => {
    const { number } = await reviewed();
    const { comments: before } = view(number);
    for (const by of EVERYBODY) {
      const { id } = world.github.comment("acme/shop", number, { by, body: "Nothing here" });
      world.github.editComment(id, { by, body: COMMAND });
      const gone = world.github.comment("acme/shop", number, { by, body: COMMAND });
      world.github.deleteComment(gone.id, by);
    }
    await world.settled();
    const { comments } = view(number);
    expect(comments).toHaveLength(before.length + EVERYBODY.length);
    expect(comments.flatMap(({ reactions }) => reactions)).toEqual([]);
    expect(conclusion(number)).toBe("failure");
  });

  it("in the conversation, in a thread and above a review it is the role that counts, and bots count for nothing", async () => {
    const { number } = await reviewed();
    const thread = view(number).reviewComments[0]!;
    const body = "/forge config";
    const said = EVERYBODY.map((by) => world.github.comment("acme/shop", number, { by, body }).id);
    const replies = EVERYBODY.map(
      (by) => world.github.replyToReviewComment("acme/shop", number, thread.id, { by, body }).id,
    );
    for (const by of EVERYBODY) await world.github.submitReview("acme/shop", number, { by, event: "COMMENT", body });
    const { reactions, answers } = await outcome(number, said);
    const expected = EVERYBODY.map((by) => (by === BOT ? [] : mayConfig(by) ? DONE : REFUSED));
    expect(reactions).toEqual(expected);
    const { reviewComments } = view(number);
    const inThread = replies.map((id) => reviewComments.find((comment) => comment.id === id)?.reactions ?? []);
    expect(inThread.map((own) => own.map(({ content }) => content))).toEqual(expected);
    for (const by of PEOPLE.filter((login) => !mayConfig(login))) {
      const refusal = `\`config\` needs triage permission here; \`${by}\` has read.`;
      expect(answers.filter((answer) => answer.startsWith(refusal)).length, by).toBeGreaterThanOrEqual(2);
    }
    expect(answers.join("\n")).not.toContain(BOT);
  });

  it("of two commands in one comment each is weighed by itself, whoever wrote them", async () => {
    const { number } = await reviewed();
    const body = "/forge help\n/forge config";
    const said = EVERYBODY.map((by) => world.github.comment("acme/shop", number, { by, body }).id);
    const { reactions } = await outcome(number, said);
    const mixed = ["confused", "eyes", "rocket"];
    expect(reactions.map((own) => own.toSorted())).toEqual(
      EVERYBODY.map((by) => (by === BOT ? [] : mayConfig(by) ? DONE : mixed)),
    );
  });
});
