import { describe, expect, it } from "vitest";
import { seeded } from "../../bench/learning/seeded.ts";
import { dispersionOf, evidenceOfChange, splitLogRatio, upperShare } from "../../src/safety/sequential-evidence.ts";

const TIMES = [1.5, 2, 3, 5, 10];

/** Events that fall to the first side with its share of the exposure, times over, as often as there are events. */
function split(random: () => number, events: number, odds: number, times: number) {
  let first = 0;
  for (let one = 0; one < events; one += 1) if (random() < (times * odds) / (1 + times * odds)) first += 1;
  const rows = { events: first, exposure: odds };
  return TIMES.map((ratio) => splitLogRatio(rows, { events: events - first, exposure: 1 }, ratio));
}

describe("evidence that may be looked at after each look (DEP-3)", () => {
  it("passes 1 in 20 in at most 1 of 20 series without a change, of 40 looks each", () => {
    const random = seeded(7);
    let passed = 0;
    for (let one = 0; one < 1_000; one += 1) {
      const rows: number[][] = [];
      for (let look = 0; look < 40; look += 1) {
        rows.push(split(random, 5, 0.25, 1));
        if (evidenceOfChange(rows).log < Math.log(20)) continue;
        passed += 1;
        break;
      }
    }
    expect(passed).toBeLessThan(50);
    expect(passed).toBeGreaterThan(0);
  });

  it("finds a change where it began", () => {
    const random = seeded(8);
    const rows = Array.from({ length: 20 }, (_, at) => split(random, 20, 0.25, at < 12 ? 1 : 4));
    const { log, since } = evidenceOfChange(rows);
    expect(log).toBeGreaterThan(Math.log(2_000));
    expect(Math.abs(since - 12)).toBeLessThanOrEqual(1);
  });

  it("lets one look add no more than it may", () => {
    expect(evidenceOfChange([[100]], 5).log).toBeLessThan(5);
    expect(evidenceOfChange([[100]]).log).toBeGreaterThan(90);
  });
});

describe("counts", () => {
  it("split evenly speak for no change, whatever raised them both", () => {
    expect(splitLogRatio({ events: 50, exposure: 500 }, { events: 950, exposure: 9_500 }, 2)).toBeLessThan(0);
    expect(splitLogRatio({ events: 100, exposure: 500 }, { events: 950, exposure: 9_500 }, 2)).toBeGreaterThan(0);
  });

  it("bound a share from above: of none in 300 about 1 %", () => {
    expect(upperShare({ events: 0, exposure: 300 }, 1.64)).toBeCloseTo(0.012, 3);
    expect(upperShare({ events: 30, exposure: 100 }, 1.64)).toBeGreaterThan(0.35);
  });

  it("that come in clusters are told from such that do not", () => {
    const even = [10, 9, 11, 10, 10].map((events) => ({ events, exposure: 1_000 }));
    const clusters = [0, 30, 0, 0, 20].map((events) => ({ events, exposure: 1_000 }));
    expect(dispersionOf(even)).toBe(1);
    expect(dispersionOf(clusters)).toBe(10);
    expect(dispersionOf([])).toBe(1);
  });
});
