import { expect, it } from "vitest";
import { killEverywhere, startWorld } from "./kill-everywhere.ts";
import { oneForEachState, watchReview } from "./kill-review.ts";
import type { Point } from "./points.ts";
import { type Outcome, violations } from "./violations.ts";

/** What a review writes when nobody disturbs it. */
async function undisturbed(): Promise<{ points: Point[]; outcome: Outcome; faults: string[] }> {
  const world = await startWorld();
  const { points, outcome, pull } = await watchReview(world);
  const faults = await violations(world, pull, outcome);
  await world.end();
  return { points, outcome, faults };
}

it("PIPE-7, GH-12a, GH-13: killed at any write of a review, Forge ends with one check, one review, no comment twice, none lost", async () => {
  const { points, outcome, faults } = await undisturbed();
  expect(faults).toEqual([]);
  expect(outcome.comments).toHaveLength(4);
  const sample = oneForEachState(points);
  expect(sample.length).toBeGreaterThan(30);
  const reports = await killEverywhere(
    sample.map((point) => ({ point })),
    outcome,
    { worlds: 2 },
  );
  expect(reports.filter((report) => report.violations.length > 0)).toEqual([]);
}, 180_000);
