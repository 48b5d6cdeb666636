import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measurePromotions } from "../../bench/learning/promotions.ts";
import { CONVINCING, evidenceBelow, hasDrifted } from "../../src/safety/always-valid.ts";

/** The integral itself, by Simpson's rule. */
function byIntegral(limit: number, runs: number, failures: number): number {
  const steps = 2_000;
  const ratio = (p: number) => (p / limit) ** failures * ((1 - p) / (1 - limit)) ** (runs - failures);
  let sum = ratio(0) + ratio(limit);
  for (let i = 1; i < steps; i += 1) sum += (i % 2 === 0 ? 2 : 4) * ratio((limit * i) / steps);
  return sum / (3 * steps);
}

describe("the evidence for a rate below a limit (SAFE-4)", () => {
  it("is the likelihood averaged over the rates below the limit, over the likelihood at it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0.02, 0.05, 0.2, 0.5),
        fc.integer({ min: 0, max: 400 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (limit, runs, share) => {
          const failures = Math.round(share * runs);
          const exact = byIntegral(limit, runs, failures);
          expect(evidenceBelow(limit, { runs, failures }) / exact).toBeCloseTo(1, 4);
        },
      ),
    );
  });

  it("says nothing of an empty record, falls with each failure and grows with each success", () => {
    expect(evidenceBelow(0.2, { runs: 0, failures: 0 })).toBe(1);
    expect(evidenceBelow(0.2, { runs: 60, failures: 3 })).toBeGreaterThan(
      evidenceBelow(0.2, { runs: 60, failures: 4 }),
    );
    expect(evidenceBelow(0.2, { runs: 61, failures: 3 })).toBeGreaterThan(
      evidenceBelow(0.2, { runs: 60, failures: 3 }),
    );
    // A record of years is no reason to compute for long, or to come to nothing.
    expect(evidenceBelow(0.05, { runs: 1_000_000, failures: 0 })).toBeGreaterThan(CONVINCING);
    expect(evidenceBelow(0.05, { runs: 1_000_000, failures: 1_000_000 })).toBeLessThan(1e-5);
  });

  it("keeps its promise over 500 looks: at most 5 of 100 at the limit, and half of those at half the limit within 90 runs", () => {
    const results = measurePromotions(42);
    expect(results.filter(({ met }) => met !== undefined)).toHaveLength(3);
    expect(results.filter(({ met }) => met === false)).toEqual([]);
    // What is compared with would not keep it: otherwise the simulation shows nothing.
    expect(results[0]?.baseline).toBeGreaterThan(10);
  });
});

describe("a drift above a limit", () => {
  const runs = (count: number, every: number) => Array.from({ length: count }, (_, i) => (i + 1) % every === 0);

  it("is not seen where one in ten fails and one in five may", () => {
    expect(hasDrifted(0.2, runs(500, 10))).toBe(false);
  });

  it("is seen soon after a good time, which an average would hide", () => {
    expect(hasDrifted(0.2, [...runs(200, 20), ...runs(40, 2)])).toBe(true);
    expect(hasDrifted(0.2, [...runs(200, 20), ...runs(6, 2)])).toBe(false);
  });
});
