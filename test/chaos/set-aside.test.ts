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
