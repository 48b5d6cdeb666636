import { describe, expect, it } from "vitest";
import {
  type BudgetLimit,
  EMPTY_LEDGER,
  Ledger,
  leftOf,
  release,
  reserve,
  settle,
  usedUsd,
} from "../../src/safety/budget.ts";
import fc from "../properties.ts";

const phase: BudgetLimit = { scope: "phase", key: "run-1/review", limitUsd: 2 };
const day: BudgetLimit = { scope: "day", key: "2026-11-20", limitUsd: 3 };

function reserved(ledger: Ledger, id: string, usd: number, limits = [phase, day]): Ledger {
  const result = reserve(ledger, { id, usd, limits });
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return result.ledger;
}

describe("the budget", () => {
  it("SAFE-2: counts what is reserved as if it were spent, so that parallel calls cannot overshoot", () => {
    const ledger = reserved(reserved(EMPTY_LEDGER, "a", 1.2), "b", 0.8);
    expect(reserve(ledger, { id: "c", usd: 0.000001, limits: [phase, day] })).toEqual({
      ok: false,
      refusal: { scope: "phase", limitUsd: 2, usedUsd: 2, neededUsd: 0.000001 },
    });
  });

  it("SAFE-2: gives back what a call did not use", () => {
    const ledger = settle(reserved(EMPTY_LEDGER, "a", 2), "a", 0.5);
    expect(usedUsd(ledger, phase)).toBe(0.5);
    expect(reserve(ledger, { id: "b", usd: 1.5, limits: [phase, day] }).ok).toBe(true);
  });

  it("SAFE-2: gives everything back of a call that did not happen", () => {
    expect(release(reserved(EMPTY_LEDGER, "a", 2), "a")).toEqual(EMPTY_LEDGER);
  });

  it("counts a call that cost more than was reserved", () => {
    const ledger = settle(reserved(EMPTY_LEDGER, "a", 1.9), "a", 2.5);
    expect(usedUsd(ledger, phase)).toBe(2.5);
    expect(reserve(ledger, { id: "b", usd: 0, limits: [phase] })).toMatchObject({ ok: false });
  });

  it("settles a call once", () => {
    const once = settle(reserved(EMPTY_LEDGER, "a", 1), "a", 1);
    expect(settle(once, "a", 1)).toEqual(once);
    expect(release(once, "a")).toEqual(once);
  });

  it("SAFE-1: holds for every scope by itself", () => {
    const other = { ...phase, key: "run-2/review" };
    const ledger = settle(reserved(EMPTY_LEDGER, "a", 1.9), "a", 1.9);
    expect(reserve(ledger, { id: "b", usd: 1.2, limits: [other, day] })).toMatchObject({
      ok: false,
      refusal: { scope: "day", usedUsd: 1.9 },
    });
    expect(reserve(ledger, { id: "b", usd: 1.1, limits: [other, day] }).ok).toBe(true);
  });

  it("tells what the tightest limit leaves", () => {
    const ledger = reserved(EMPTY_LEDGER, "a", 1.5);
    expect(leftOf([phase, day], (limit) => usedUsd(ledger, limit))).toEqual({ usd: 0.5, share: 0.25 });
    expect(leftOf([], () => 0)).toEqual({ usd: Number.POSITIVE_INFINITY, share: 1 });
  });

  it("is restored from what was stored", () => {
    const ledger = settle(reserved(reserved(EMPTY_LEDGER, "a", 0.1), "b", 0.2), "a", 0.1);
    expect(Ledger.parse(JSON.parse(JSON.stringify(ledger)))).toEqual(ledger);
  });

  it("SAFE-2: is never overshot, whatever is reserved, settled and given back", () => {
    const action = fc.record({
      kind: fc.constantFrom("reserve", "settle", "release"),
      usd: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        let ledger = EMPTY_LEDGER;
        const open: { id: string; usd: number }[] = [];
        actions.forEach(({ kind, usd }, index) => {
          if (kind === "reserve") {
            const result = reserve(ledger, { id: `${index}`, usd, limits: [phase, day] });
            if (result.ok) {
              ledger = result.ledger;
              open.push({ id: `${index}`, usd });
            }
          } else {
            const call = open.pop();
            if (call) ledger = kind === "settle" ? settle(ledger, call.id, call.usd * usd) : release(ledger, call.id);
          }
          expect(usedUsd(ledger, phase)).toBeLessThanOrEqual(2);
        });
      }),
    );
  });
});
