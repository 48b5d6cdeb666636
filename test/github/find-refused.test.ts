import { describe, expect, it } from "vitest";
import { findRefused } from "../../src/github/effects/find-refused.ts";
import fc from "../properties.ts";

describe("GH-10: finding what GitHub refuses", () => {
  it("finds exactly the bad items of a refused list, wherever they stand", async () => {
    const items = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }).filter((flags) => flags.includes(true));
    await fc.assert(
      fc.asyncProperty(items, async (flags) => {
        const all = flags.map((bad, index) => ({ bad, index }));
        const accepted = new Set<number>();
        const found = await findRefused(all, async (part) => {
          const taken = part.every(({ bad }) => !bad);
          for (const { index } of taken ? part : []) accepted.add(index);
          return taken;
        });
        expect(found).toEqual(all.filter(({ bad }) => bad));
        expect(accepted.size).toBe(all.length - found.length);
      }),
    );
  });

  it("asks once or twice a halving for one bad item, and not about what follows from the other half", async () => {
    let asked = 0;
    const items = Array.from({ length: 64 }, (_, index) => index);
    await findRefused(items, async (part) => {
      asked += 1;
      return !part.includes(41);
    });
    expect(asked).toBe(9);
  });
});
