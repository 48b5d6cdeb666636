import { expect, it } from "vitest";
import type { Point } from "./points.ts";
import { openAndPush, openLargerPull, openWaitAndPush } from "./stories.ts";
import { LIMIT_MS, twoWorlds } from "./two-worlds.ts";

const point = (name: string, occurrence = 1): Point => ({ name, occurrence });
const { failuresOf } = twoWorlds(openLargerPull);

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
    expect(await failuresOf(kills)).toEqual([]);
  },
  LIMIT_MS,
);
