import { expect, it } from "vitest";
import { oneForEachState } from "./kill-review.ts";
import { openPull } from "./stories.ts";
import { LIMIT_MS, twoWorlds } from "./two-worlds.ts";

/** A file tests some of the parts, as files run at the same time. */
const PARTS = 4;

/** Tests of the parts of all writes of a review. */
export function testKillsOfWrites(parts: readonly number[]): void {
  const { points, outcome, failuresOf } = twoWorlds(openPull);
  it.each(parts)(
    "PIPE-7, GH-12a, GH-13: killed at any write of a review, Forge ends with one check, one review, no comment twice, none lost (part %i)",
    async (part) => {
      expect(outcome().comments).toHaveLength(4);
      const sample = oneForEachState(points());
      expect(sample.length).toBeGreaterThan(20);
      const kills = sample.filter((_, index) => index % PARTS === part).map((point) => ({ point }));
      expect(await failuresOf(kills)).toEqual([]);
    },
    LIMIT_MS,
  );
}
