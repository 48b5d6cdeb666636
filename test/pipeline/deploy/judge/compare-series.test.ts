import { describe, expect, it } from "vitest";
import { compareSeries } from "../../../../src/pipeline/deploy/judge/judge-values.ts";

const LIMITS = { worse: 1.5, ruledOut: 2 };
const many = (count: number, value: number) => new Array<number>(count).fill(value);
/** Values around a mean that look like noise and are the same each time. */
const around = (mean: number, count = 30) =>
  Array.from({ length: count }, (_, at) => mean * (1 + 0.15 * Math.sin(at * 12.9898)));

/** The kinds of cases that Kayenta labels, and those that people reported as false passes of it, in numbers of our own (`docs/judge.md`). */
describe("two series of values (DEP-3)", () => {
  it.each([
    ["the same kind", around(10), around(10.3), "up", "fine"],
    ["twice as high", around(21), around(10), "up", "worse"],
    ["twice as high, which is good", around(21), around(10), "down", "fine"],
    ["half as high", around(10), around(20), "down", "worse"],
    ["half as high, which is good", around(10), around(20), "up", "fine"],
    ["ties throughout, higher", many(5, 8), many(5, 2), "up", "worse"],
    ["ties throughout, of zero", many(5, 8), many(5, 0), "up", "worse"],
    ["to zero", many(5, 0), [41, 43, 40, 44, 42], "down", "worse"],
    ["all the same", many(6, 3), many(6, 3), "up", "fine"],
    ["all zero", many(6, 0), many(6, 0), "up", "fine"],
    ["the same values in another order", [2, 4, 6, 8, 10], [10, 8, 6, 4, 2], "up", "fine"],
    ["one value far out of five", [2, 2, 2, 2, 20], many(5, 2), "up", "cannot_tell"],
    ["too few values", [2, 2, 2], [2, 2], "up", "cannot_tell"],
    ["no values", [], many(5, 2), "up", "cannot_tell"],
    ["nothing to compare with", many(5, 2), [], "up", "cannot_tell"],
  ] as const)("%s", (_, canary, control, bad, is) => {
    expect(compareSeries(canary, control, bad, LIMITS).is).toBe(is);
  });

  it.each([
    [
      "most values far out, where ranks see the rest (spinnaker#6278)",
      [...many(7, 250), ...many(3, 4)],
      many(10, 4),
      "worse",
    ],
    [
      "a few errors against none: too few to act on, and no pass (kayenta#426)",
      [0, 2, 0, 1, 1, 0],
      many(6, 0),
      "cannot_tell",
    ],
    ["errors in each look against none (kayenta#799)", [2, 3, 1, 5, 2], many(5, 0), "worse"],
    ["errors against silence (kayenta#799)", [2, 3, 1, 5, 2], [], "cannot_tell"],
    [
      "the same middle, with heights that the other has not (kayenta#780)",
      [2, 90, 3, 95, 4, 91, 5, 97, 6, 92, 7, 99, 8, 94, 15],
      [9, 9.2, 9.4, 9.6, 9.8, 10, 10.2, 15, 15.2, 15.4, 15.6, 15.8, 16, 16.2, 16.4],
      "worse",
    ],
  ] as const)("does not pass what was reported as a false pass: %s", (_, canary, control, is) => {
    expect(compareSeries(canary, control, "up", LIMITS).is).toBe(is);
  });
});
