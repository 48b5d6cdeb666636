import { beforeAll, expect, it } from "vitest";
import { killEverywhere, startWorld } from "./kill-everywhere.ts";
import { oneForEachState, watchReview } from "./kill-review.ts";
import type { Point } from "./points.ts";
import { openAndPush, openLargerPull, openWaitAndPush, type Story } from "./stories.ts";
import { type Outcome, violations } from "./violations.ts";

const LIMIT_MS = 300_000;
const point = (name: string, occurrence = 1): Point => ({ name, occurrence });

/** What Forge writes when nobody disturbs it. */
async function undisturbed(story?: Story): Promise<{ points: Point[]; outcome: Outcome; faults: string[] }> {
  const world = await startWorld();
  const { points, outcome, pull } = await watchReview(world, story);
  const faults = await violations(world, pull, outcome);
  await world.end();
  return { points, outcome, faults };
}

let points: Point[];
let outcome: Outcome;
let larger: Outcome;
beforeAll(async () => {
  const [plain, more] = await Promise.all([undisturbed(), undisturbed(openLargerPull)]);
  expect([plain.faults, more.faults]).toEqual([[], []]);
  ({ points, outcome } = plain);
  larger = more.outcome;
}, LIMIT_MS);

it(
  "PIPE-7, GH-12a, GH-13: killed at any write of a review, Forge ends with one check, one review, no comment twice, none lost",
  async () => {
    expect(outcome.comments).toHaveLength(4);
    const sample = oneForEachState(points);
    expect(sample.length).toBeGreaterThan(30);
    const kills = sample.map((point) => ({ point }));
    const reports = await killEverywhere(kills, outcome, { worlds: 2 });
    expect(reports.filter((report) => report.violations.length > 0)).toEqual([]);
  },
  LIMIT_MS,
);

it(
  "GH-13: started again at once, Forge waits until GitHub's lists have followed, and after a second death again",
  async () => {
    const written = ["after POST /check-runs", "after POST /pulls/n/reviews"].map((name) => point(name));
    const kills = [
      ...written.map((point) => ({ point, downMs: 0, lagMs: 3_000 })),
      { point: point("after PATCH /check-runs/n", 2), again: point("before commit: effect done check.complete") },
      { point: point("after commit: events phase.entered"), again: point("after POST /pulls/n/reviews") },
    ];
    const reports = await killEverywhere(kills, outcome, { worlds: 4 });
    expect(reports.filter((report) => report.violations.length > 0)).toEqual([]);
  },
  LIMIT_MS,
);

it(
  "GH-3: killed while a push supersedes a review, Forge ends with the new head reviewed once and the old check closed",
  async () => {
    const during = { story: openAndPush, mayMiss: true };
    const after = { story: openWaitAndPush, mayMiss: true };
    const kills = [
      { ...during, point: point("received webhook pull_request", 2) },
      { ...during, point: point("after POST /check-runs", 2) },
      { ...during, point: point("after POST /pulls/n/reviews") },
      { ...after, point: point("after POST /pulls/n/reviews", 2) },
    ];
    const reports = await killEverywhere(kills, larger, { worlds: 2 });
    expect(reports.filter((report) => report.violations.length > 0)).toEqual([]);
  },
  LIMIT_MS,
);
