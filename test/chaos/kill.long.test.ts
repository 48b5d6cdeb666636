import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChaosWorld } from "./chaos-world.ts";
import { type Kill, type KillReport, killEverywhere, startWorld, undisturbed } from "./kill-everywhere.ts";
import { oneForEachState } from "./kill-review.ts";
import type { Point } from "./points.ts";
import { openAndPush, openLargerPull, openPull, openWaitAndPush } from "./stories.ts";
import type { Outcome } from "./violations.ts";

const LIMIT_MS = 300_000;
const point = (name: string, occurrence = 1): Point => ({ name, occurrence });

const worlds: ChaosWorld[] = [];
let points: Point[];
let outcome: Outcome;
let larger: Outcome;
beforeAll(async () => {
  worlds.push(...(await Promise.all([startWorld(), startWorld()])));
  const [plain, more] = await Promise.all([undisturbed(worlds[0]!, openPull), undisturbed(worlds[1]!, openLargerPull)]);
  expect([plain.faults, more.faults]).toEqual([[], []]);
  ({ points, outcome } = plain);
  larger = more.outcome;
}, LIMIT_MS);
afterAll(() => Promise.all(worlds.map((world) => world.end())));

/** Kills that left something wrong, with what it was. */
async function failuresOf(kills: readonly Kill[], expected: Outcome): Promise<KillReport[]> {
  const reports = await killEverywhere(worlds, kills, expected);
  return reports.filter((report) => report.violations.length > 0);
}

// In parts, as each kill costs a start of Forge: the time limit is for a hang, and not for how many there are.
const PARTS = [0, 1, 2, 3] as const;
it.each(PARTS)(
  "PIPE-7, GH-12a, GH-13: killed at any write of a review, Forge ends with one check, one review, no comment twice, none lost (part %i)",
  async (part) => {
    expect(outcome.comments).toHaveLength(4);
    const sample = oneForEachState(points);
    expect(sample.length).toBeGreaterThan(20);
    const kills = sample.filter((_, index) => index % PARTS.length === part).map((point) => ({ point }));
    expect(await failuresOf(kills, outcome)).toEqual([]);
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
    expect(await failuresOf(kills, outcome)).toEqual([]);
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
      // The tests of the head are at work: one death is forgiven, a second sets them aside, and what comes later has nothing to do with it.
      { ...after, point: point("after commit: claimed test") },
      { ...after, point: point("after commit: claimed test"), again: point("after commit: claimed test") },
      { ...after, point: point("after commit: events phase.entered", 2) },
      { ...after, point: point("received webhook pull_request", 2) },
    ];
    expect(await failuresOf(kills, larger)).toEqual([]);
  },
  LIMIT_MS,
);
