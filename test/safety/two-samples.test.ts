import { describe, expect, it } from "vitest";
import { compareTwoSamples } from "../../src/safety/two-samples.ts";

describe("two samples dealt out anew (DEP-3)", () => {
  it("count all ways to deal few values out: five above five are 1 in 252, twice for two tests", () => {
    const { chanceOfHigher, chanceOfLower, test } = compareTwoSamples([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]);
    expect(test).toBe("exact");
    expect(chanceOfHigher).toBeCloseTo(2 / 252, 10);
    expect(chanceOfLower).toBe(1);
  });

  it("come to nearly the same for many values, where sums are taken as normal", () => {
    const shifted = (by: number, count: number) =>
      Array.from({ length: count }, (_, at) => by + ((at * 7919) % 100) / 100);
    const exact = compareTwoSamples(shifted(0.2, 8), shifted(0, 8));
    const wide = compareTwoSamples(shifted(0.2, 9), shifted(0, 9));
    expect([exact.test, wide.test]).toEqual(["exact", "normal"]);
    expect(Math.abs(exact.chanceOfHigher - wide.chanceOfHigher)).toBeLessThan(0.1);
  });

  it("find no difference where there is none to find", () => {
    const flat = new Array<number>(30).fill(4);
    expect(compareTwoSamples(flat, flat)).toMatchObject({ chanceOfHigher: 1, chanceOfLower: 1, means: [4, 4] });
  });
});
