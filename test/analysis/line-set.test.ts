import fc from "fast-check";
import { expect, it } from "vitest";
import { lineSet } from "../../src/analysis/line-set.ts";

it("REV-1: lines of a change are the set of their numbers, ascending", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 300 })), fc.integer({ min: 0, max: 400 }), (lines, asked) => {
      const set = lineSet(lines);
      const known = new Set(lines);
      expect([...set]).toEqual([...known].sort((a, b) => a - b));
      expect([set.size, set.has(asked)]).toEqual([known.size, known.has(asked)]);
    }),
  );
});
