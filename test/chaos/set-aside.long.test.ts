import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChaosWorld } from "./chaos-world.ts";
import { startWorld } from "./kill-everywhere.ts";
import { openPull } from "./stories.ts";

const LIMIT_MS = 300_000;

let world: ChaosWorld;
beforeAll(async () => {
  world = await startWorld();
}, LIMIT_MS);
afterAll(() => world.end());

/** Dies as soon as the work of a review has begun, or has been taken up. */
async function dieAtWork(tell: () => Promise<unknown>): Promise<void> {
  await tell();
  await world.forge.ended;
  await world.github.idle();
}

it(
  "PIPE-7: a review at which the process died twice is set aside and says so; a person has it go on",
  async () => {
    await world.forge.order({ killAt: { name: "after commit: events phase.entered", occurrence: 1 } });
    const pull = await openPull.tell(world);
    await dieAtWork(async () => {});
    await dieAtWork(async () => {
      world.launch({ order: { killAt: { name: "after commit: events run.resumed", occurrence: 1 } } });
    });
    await world.start();
    await world.settled();
    const [check] = world.github.pullRequest(pull.repository, pull.number).checkRuns;
    expect(check).toMatchObject({
      conclusion: "action_required",
      title: "Not reviewed: Forge ended twice while at work on this: set aside",
    });
    expect(check?.summary).toContain("or say `/forge review`");
    expect(check?.summary).toContain("Tried 2 times; nothing was posted. Error `set_aside`.");

    world.github.comment(pull.repository, pull.number, { body: "/forge review", by: "ana" });
    await world.settled();
    const view = world.github.pullRequest(pull.repository, pull.number);
    expect(view.checkRuns[0]?.conclusion).toBe("failure");
    expect(view.reviewComments.length).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

const claimed = (kind: string) => ({ name: `after commit: claimed ${kind}`, occurrence: 1 });

/** The process dies each time that a worker takes up a job of the kind, twice; then it lives. */
async function dieTwiceAt(kind: string, tell: () => unknown): Promise<void> {
  await world.settled();
  await world.forge.order({ killAt: claimed(kind) });
  await dieAtWork(async () => tell());
  await dieAtWork(async () => {
    world.launch({ order: { killAt: claimed(kind) } });
  });
  await world.start();
  await world.settled();
}

const REPOSITORY = "acme-0/shop";
const openIssue = () => world.github.openIssue(REPOSITORY, { title: "Wish", body: "A wish", by: "ana" }).number;
/** What Forge said on an issue, without its markers. */
const said = (issue: number) =>
  world.github
    .issue(REPOSITORY, issue)
    .comments.filter(({ by }) => by === "forge[bot]")
    .map(({ body }) => body.replace(/\n<!--.*/s, ""));

it(
  "PIPE-7: a label at whose webhook the process died twice is answered on the issue, once, and counts when it is set again",
  async () => {
    const issue = openIssue();
    await dieTwiceAt("delivery", () => world.github.addLabel(REPOSITORY, issue, "forge:implement", "ana"));
    const sentence =
      "Forge ended twice while it was at work on the label that `ana` set here, and set that aside.\nTo have it tried once more: take the label away and set it again.";
    expect(said(issue)).toEqual([sentence]);
    await world.github.removeLabel(REPOSITORY, issue, "forge:implement", "ana");
    await world.github.addLabel(REPOSITORY, issue, "forge:implement", "ana");
    await world.settled();
    expect(said(issue).length).toBeGreaterThan(1);
    expect(said(issue).filter((body) => body === sentence)).toHaveLength(1);
  },
  LIMIT_MS,
);

it(
  "PIPE-7: commands at which the process died twice are answered in words, and count when they are said again",
  async () => {
    const issue = openIssue();
    const ask = () => world.github.comment(REPOSITORY, issue, { body: "/forge status", by: "ana" });
    await dieTwiceAt("command", ask);
    const sentence =
      "Forge ended twice while it was at work on what `ana` asked for here, and set that aside.\nWhat has no answer was not carried out. To have it tried once more: say it again.";
    expect(said(issue)).toEqual([sentence]);
    ask();
    await world.settled();
    expect(said(issue)).toEqual([sentence, expect.stringContaining("**No work was begun here.**")]);
  },
  LIMIT_MS,
);

it(
  "PIPE-7: where the process died twice at writing an answer, the issue says that it is not there",
  async () => {
    const issue = openIssue();
    await world.settled();
    // The reaction is written first, in a job of its own.
    const before = { name: "before POST /issues/n/comments", occurrence: 1 };
    await world.forge.order({ killAt: before });
    await dieAtWork(async () => world.github.comment(REPOSITORY, issue, { body: "/forge status", by: "ana" }));
    // The first of these came further than nobody: it had begun to send.
    for (let death = 0; death < 2; death += 1) {
      await dieAtWork(async () => {
        world.launch({ order: { killAt: before } });
      });
    }
    await world.start();
    await world.settled();
    expect(said(issue)).toEqual([
      "Forge ended twice while it was writing an answer here, and gave it up, so it may be missing here.\nFor the current state: `/forge status`; to be answered, ask again.",
    ]);
  },
  LIMIT_MS,
);
