import { describe, expect, it } from "vitest";
import { shareWorld } from "./end-world.ts";
import { checks, FAULTY } from "./pulls.ts";
import { createTalkingWorld, DONE, talkIn } from "./talk.ts";
import type { World } from "./world.ts";

let world: World;
shareWorld(createTalkingWorld, (made) => {
  world = made;
});

const { view, reviewed, push, say, check, summary, conclusion } = talkIn(() => world);

describe("dismissing", () => {
  it("HUM-1, FIND-1: changes the check at once, survives the next push, and can be taken back", async () => {
    const { number, branch, ids } = await reviewed();
    expect(checks(world, number)).toEqual([["failure", "2 blocking errors: assignment to constant, self-comparison"]]);
    await say(number, `/forge dismiss ${ids[0]} known`);
    expect(checks(world, number)).toEqual([
      ["failure", expect.stringMatching(/^1 blocking error: (assignment to constant|self-comparison) in /)],
    ]);
    expect(summary(number)).toContain(`**Dismissed**: \`${ids[0]}\` by \`ben\` (known).`);
    const comment = view(number).reviewComments[1]!;
    world.github.replyToReviewComment("acme/shop", number, comment.id, { by: "ben", body: "/forge dismiss by design" });
    await world.settled();
    expect(conclusion(number)).toBe("success");
    expect(view(number).allCheckRuns.filter(({ name }) => name === "forge/review")).toHaveLength(1);
    await push(branch);
    expect(conclusion(number)).toBe("success");
    expect(view(number).reviews.filter(({ by }) => by === "forge[bot]")).toHaveLength(1);
    const why = await say(number, `/forge explain ${ids[1]}`);
    expect(why.answers[0]).toContain("for this place: by design");
    await say(number, `/forge undismiss ${ids[0]}`);
    expect(checks(world, number)).toEqual([
      ["failure", expect.stringMatching(/^1 blocking error: (assignment to constant|self-comparison) in /)],
    ]);
  });

  it("GH-8a: a reply in plain words dismisses, once, by triage or more; talk is left alone, and a mistyped id is answered", async () => {
    const { number, ids } = await reviewed();
    const wrong = `${ids[0]!.slice(0, -1)}${ids[0]!.endsWith("7") ? "8" : "7"}`;
    const { answers: meant } = await say(number, `/forge dismiss ${wrong}`);
    expect(meant[0]).toMatch(/^No finding `F-\w+` here. Did you mean `F-\w+`\?$/);
    const [first] = view(number).reviewComments;
    const reply = (by: string, body: string) =>
      world.github.replyToReviewComment("acme/shop", number, first!.id, { by, body });
    reply("read-er", "False positive, I think.");
    reply("ana", "Is this a false positive?");
    await world.settled();
    const ofForge = () => view(number).reviewComments.filter(({ by }) => by === "forge[bot]");
    expect(ofForge()).toHaveLength(2);
    reply("triage-er", "False positive: it is only a test.");
    await world.settled();
    const answers = ofForge()
      .slice(2)
      .filter(({ inReplyTo }) => inReplyTo === first!.id);
    expect(answers.map(({ body }) => body.split("\n<!--")[0])).toContain(
      `\`${ids[0]}\` is dismissed, as \`triage-er\` said. To take it back: \`/forge undismiss ${ids[0]}\``,
    );
    expect(checks(world, number)).toEqual([
      ["failure", expect.stringMatching(/^1 blocking error: (assignment to constant|self-comparison) in /)],
    ]);
  });
});

describe("overriding, pausing, asking again", () => {
  it("an override passes the check on this head only; a pause leaves heads out, and its end has the head reviewed", async () => {
    const { number, branch } = await reviewed();
    const { reactions } = await say(number, "/forge override forge/review hotfix for the outage", "maintain-er");
    expect(reactions).toEqual(DONE);
    expect(checks(world, number)).toEqual([["success", "Overridden by `maintain-er`: 2 blocking errors open"]]);
    expect(summary(number)).toContain("**Overridden by `maintain-er`, on this head only:** hotfix for the outage.");
    world.github.rerequestCheckRun("acme/shop", check(number)!.id, "ben");
    await world.settled();
    expect(conclusion(number)).toBe("success");
    await push(branch);
    expect(conclusion(number)).toBe("failure");

    await say(number, "/forge pause");
    await push(branch, FAULTY);
    expect(checks(world, number)).toEqual([["skipped", "Left out: paused by ben (`/forge unpause` goes on)"]]);
    expect((await say(number, "/forge review")).answers[0]).toContain("Forge is paused here, by `ben`.");
    await say(number, "/forge unpause");
    expect(conclusion(number)).toBe("failure");
  });

  it("GH-5: a button does what its command does, by whoever pressed it", async () => {
    const { number } = await reviewed(undefined, { draft: true });
    const { id, actions } = check(number)!;
    expect(actions.map(({ identifier, label }) => [identifier, label])).toEqual([["review", "Review now"]]);
    world.github.pressCheckRunButton("acme/shop", id, "review", "read-er");
    await world.settled();
    expect(conclusion(number)).toBe("skipped");
    expect(view(number).comments.at(-1)?.body).toContain("`review` needs triage permission here; `read-er` has read.");
    world.github.pressCheckRunButton("acme/shop", id, "review", "triage-er");
    await world.settled();
    expect(conclusion(number)).toBe("failure");
    expect(check(number)?.actions.map(({ identifier }) => identifier)).toEqual(["review-full"]);
  });
});
