import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChaosWorld } from "./chaos-world.ts";
import { killEverywhere, startWorld, undisturbed } from "./kill-everywhere.ts";
import { openPull } from "./stories.ts";

let world: ChaosWorld;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.end());

it("PIPE-7, GH-13: killed after GitHub has the review and before Forge knows, the next process finds it and posts no other", async () => {
  const { outcome, faults } = await undisturbed(world, openPull);
  expect(faults).toEqual([]);
  expect(outcome.comments).toHaveLength(4);
  const kills = [{ point: { name: "after POST /pulls/n/reviews", occurrence: 1 } }];
  const [report] = await killEverywhere([world], kills, outcome);
  expect(report?.violations).toEqual([]);
});
