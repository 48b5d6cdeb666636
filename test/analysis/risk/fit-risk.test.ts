import { describe, expect, it } from "vitest";
import { areaUnderCurve, fitWeights, learnFrom, likeThis, splitByTime } from "../../../src/analysis/risk/fit-risk.ts";
import type { PastChange } from "../../../src/analysis/risk/mended-changes.ts";

const DAY_MS = 86_400_000;

/** The same numbers between 0 and 1 for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A history in which one component alone decides what is mended, in as many of 100 as `share`. */
function history(count: number, decides: number, seed = 1, share = 15): PastChange[] {
  const next = numbers(seed);
  return Array.from({ length: count }, (_, at) => {
    const points = [0, 1, 2, 3, 4].map(() => 20 * next());
    const mended = points[decides]! / 20 + 0.4 * next() > 1.4 - share / 60;
    const landed = at * DAY_MS;
    return { sha: String(at), at: landed, points, linesAdded: 1, ...(mended ? { mendedAt: landed + DAY_MS } : {}) };
  });
}

const UNTIL = 10_000 * DAY_MS;

it("RISK-1: the area is the share of pairs in which the mended change has the higher score, ties halved", () => {
  expect(areaUnderCurve([1, 2, 3, 4], [false, false, true, true])).toBe(1);
  expect(areaUnderCurve([4, 3, 2, 1], [false, false, true, true])).toBe(0);
  expect(areaUnderCurve([1, 1, 1, 1], [false, true, false, true])).toBe(0.5);
  expect(areaUnderCurve([1, 2, 2, 3], [false, true, false, true])).toBe(0.875);
  expect(areaUnderCurve([1, 2], [false, false])).toBeNaN();
});

describe("weights", () => {
  it("RISK-1: are drawn to what decides in this repository, come to five, and leave nothing out", () => {
    for (const decides of [0, 2, 4]) {
      const { weights, fixed, fitted } = fitWeights(history(800, decides), UNTIL)!;
      const all = Object.values(weights);
      expect(all.indexOf(Math.max(...all))).toBe(decides);
      expect(all.reduce((sum, one) => sum + one, 0)).toBeCloseTo(5, 1);
      expect(Math.min(...all)).toBeGreaterThanOrEqual(0.2);
      expect(fitted).toBeGreaterThan(fixed);
    }
  });

  it("RISK-1: are the same for the same history", () => {
    expect(fitWeights(history(500, 1), UNTIL)).toEqual(fitWeights(history(500, 1), UNTIL));
  });

  it("RISK-1: are not fitted to fewer than 200 changes, nor where hardly any was mended", () => {
    expect(fitWeights(history(199, 0), UNTIL)).toBeUndefined();
    expect(fitWeights(history(800, 0, 1, -40), UNTIL)).toBeUndefined();
    expect(fitWeights([], 0)).toBeUndefined();
  });

  it("RISK-1: stay those of the fixed formula where the fitted ones do no better on the later part", () => {
    const turned = [...history(400, 0), ...history(400, 4, 2).map((one) => ({ ...one, at: one.at + 400 * DAY_MS }))];
    const later = turned.map((one) => (one.mendedAt === undefined ? one : { ...one, mendedAt: one.at + DAY_MS }));
    const { fixed, fitted } = fitWeights(later, UNTIL)!;
    expect(fitted).toBeLessThan(fixed);
    expect(learnFrom(later, UNTIL).weights).toBeUndefined();
    expect(learnFrom(history(800, 0), UNTIL).weights).toBeDefined();
  });

  it("RISK-1: are judged by changes after the cut, and fitted only by what was known at it", () => {
    const changes = history(300, 0);
    const { cut, earlier, later } = splitByTime(changes, UNTIL, 0.5);
    expect(Math.max(...earlier.map(({ at }) => at))).toBeLessThanOrEqual(cut - 90 * DAY_MS);
    expect(Math.min(...later.map(({ at }) => at))).toBeGreaterThan(cut);
  });
});

describe("changes like this one", () => {
  const past = (count: number, mended: number, score = 40) =>
    Array.from({ length: count }, (_, at): [number, boolean] => [score, at < mended]);

  it("RISK-1: are those whose score is within 5 points, at most the nearest hundred", () => {
    const far = past(60, 20, 46);
    expect(likeThis({ past: [...past(84, 11), ...far] }, 40)).toEqual({
      alike: 84,
      mended: 11,
      all: 144,
      allMended: 31,
      days: 90,
    });
    expect(likeThis({ past: [...past(84, 11), ...far] }, 41)).toMatchObject({ alike: 100 });
    expect(likeThis({ past: past(300, 30) }, 40)).toMatchObject({ alike: 100, all: 300 });
  });

  it("RISK-1: nothing is said of fewer than 30, nor where fewer than 10 are known to have been mended", () => {
    expect(likeThis({ past: past(29, 12) }, 40)).toBeUndefined();
    expect(likeThis({ past: past(30, 10) }, 40)).toMatchObject({ alike: 30, mended: 10 });
    expect(likeThis({ past: past(300, 9) }, 40)).toBeUndefined();
    expect(likeThis({ past: [] }, 40)).toBeUndefined();
  });

  it("RISK-1: are of the newest 500, without those of which it is not known yet", () => {
    const changes = history(700, 0);
    const until = changes.at(-1)!.at;
    const { past: kept } = learnFrom(changes, until);
    expect(kept).toHaveLength(500);
    const sum = (points: readonly number[]) => points.reduce((all, one) => all + one, 0);
    const last = changes.filter(({ at }) => at + 90 * DAY_MS <= until).at(-1)!;
    expect(learnFrom(changes.slice(0, 150), 149 * DAY_MS).past).toHaveLength(60);
    expect(learnFrom(changes.slice(500), until).past.at(-1)![0]).toBeCloseTo(sum(last.points), 2);
  });
});
