import { expect, it } from "vitest";
import { fuseRanks, scoreOf } from "../../src/memory/find-candidates.ts";
import { daysLater, START } from "./fixtures.ts";

it("MEM-2: who leads both lists has 1, the words weigh more than the vectors, and both are heard", () => {
  const fused = fuseRanks([1, 2, 3], [1, 4, 3]);
  expect(fused.get(1)).toBeCloseTo(1, 10);
  expect([...fused.keys()].sort((a, b) => fused.get(b)! - fused.get(a)!)).toEqual([1, 3, 2, 4]);
  expect(fuseRanks([], []).size).toBe(0);
});

it("MEM-2: of equals, tags, then youth and confidence decide; together they do not turn the order round", () => {
  const score = (change: { tags?: string[]; updatedAt?: string; confidence?: number }, fused = 0.5) =>
    scoreOf(
      { tags: [], updatedAt: START, lastUsedAt: daysLater(180), confidence: 0.5, ...change },
      { fused, tags: ["ci", "docker"], now: daysLater(180) },
    );
  const plain = score({});
  expect(score({ tags: ["ci"] })).toBeGreaterThan(plain);
  expect(score({ tags: ["ci", "docker"] })).toBeGreaterThan(score({ tags: ["ci", "x"] }));
  expect(score({ updatedAt: daysLater(170) })).toBeGreaterThan(plain);
  expect(score({ confidence: 0.9 })).toBeGreaterThan(plain);
  expect(score({ tags: ["ci", "docker"], updatedAt: daysLater(180), confidence: 1 })).toBeLessThan(score({}, 0.8));
});
