import { expect, it } from "vitest";
import type { Point } from "./points.ts";
import { openPull } from "./stories.ts";
import { LIMIT_MS, twoWorlds } from "./two-worlds.ts";

const point = (name: string, occurrence = 1): Point => ({ name, occurrence });
const { failuresOf } = twoWorlds(openPull);

it(
  "GH-13: started again at once, Forge waits until GitHub's lists have followed, and after a second death again",
  async () => {
    const written = ["after POST /check-runs", "after POST /pulls/n/reviews"].map((name) => point(name));
    const kills = [
      ...written.map((point) => ({ point, downMs: 0, lagMs: 3_000 })),
      { point: point("after PATCH /check-runs/n", 2), again: point("before commit: effect done check.complete") },
      { point: point("after commit: events phase.entered"), again: point("after POST /pulls/n/reviews") },
    ];
    expect(await failuresOf(kills)).toEqual([]);
  },
  LIMIT_MS,
);
