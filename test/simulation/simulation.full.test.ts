import { describe, expect, it } from "vitest";
import { simulate } from "./simulate.ts";

/** `npm run simulate -- --seeds 2000` looks at more. */
const SEEDS = 80;

/** Each of these once led to a violation, with the core or the world of its day; what it found is in the message of the commit that mended it. */
const ONCE_FAILED = [1, 16, 100, 101, 104, 105, 107, 122, 139, 234, 553, 722, 895, 2282, 2664, 2859, 3621];

describe("PIPE-1 to PIPE-8, GH-13, GH-14a, SAFE-3: whatever happens in whatever order, every invariant holds after every step", () => {
  it(`in ${SEEDS} worlds`, () => {
    const worlds = Array.from({ length: SEEDS }, (_, index) => simulate(index + 1));
    expect(worlds.flatMap(({ seed, violation }) => (violation ? [`seed ${seed}: ${violation.what}`] : []))).toEqual([]);
    // Worlds in which nothing happens would prove nothing.
    const all = (of: (world: (typeof worlds)[number]) => number) => worlds.reduce((sum, world) => sum + of(world), 0);
    expect(all(({ crashes }) => crashes)).toBeGreaterThan(SEEDS);
    expect(all(({ races }) => races)).toBeGreaterThan(10);
    expect(worlds.flatMap(({ ends }) => ends).filter((end) => end.includes("ready")).length).toBeGreaterThan(SEEDS / 2);
  });

  it.each(ONCE_FAILED)("seed %i, which once failed", (seed) => {
    expect(simulate(seed).violation?.what).toBeUndefined();
  });

  it("says the same of the same seed", () => {
    expect(simulate(7)).toEqual(simulate(7));
  });
});
