import { describe, expect, it } from "vitest";
import {
  type ErrorWindow,
  errorsAreMany,
  noteCall,
  PHASE_LIMITS,
  RUN_LIMITS,
  tripOnCost,
  tripOnErrors,
  tripOnIterations,
  tripOnRunCalls,
  tripOnTime,
} from "../../src/safety/trip-rules.ts";

const MINUTE = 60_000;
const start = Date.parse("2026-11-20T12:00:00Z");

function windowOf(calls: readonly { failed: boolean; at: number }[]): ErrorWindow {
  return calls.reduce<ErrorWindow>((window, { failed, at }) => noteCall(window, failed, at), []);
}

function calls(total: number, failed: number, at = start) {
  return Array.from({ length: total }, (_, index) => ({ failed: index < failed, at: at + index * 100 }));
}

describe("the breaker of iterations", () => {
  it("LOOP-20: allows exactly as many model calls as the limit says", () => {
    expect(tripOnIterations(9, PHASE_LIMITS.review)).toBeUndefined();
    expect(tripOnIterations(10, PHASE_LIMITS.review)).toEqual({
      breaker: "iterations",
      scope: "phase",
      limit: 10,
      current: 10,
      message: "The limit of 10 model calls for this phase is reached.",
    });
  });
});

describe("the breaker of a run's model calls", () => {
  it("LOOP-20: counts what all phases made", () => {
    expect(tripOnRunCalls(149, 150)).toBeUndefined();
    expect(tripOnRunCalls(150, 150)).toMatchObject({
      scope: "run",
      message: "The limit of 150 model calls for this run is reached.",
    });
  });
});

describe("the breaker of time", () => {
  const limits = { phaseMs: PHASE_LIMITS.review.ms, runMs: RUN_LIMITS.ms };

  it("SAFE-1: trips for the phase, then for the whole run", () => {
    expect(tripOnTime({ phaseMs: 30 * MINUTE - 1, runMs: 60 * MINUTE }, limits)).toBeUndefined();
    expect(tripOnTime({ phaseMs: 30 * MINUTE, runMs: 60 * MINUTE }, limits)).toMatchObject({
      breaker: "time",
      scope: "phase",
      message: "The 30 minutes of work for this phase are used up.",
    });
    expect(tripOnTime({ phaseMs: 0, runMs: 120 * MINUTE }, limits)).toMatchObject({ scope: "run" });
  });
});

describe("the breaker of errors", () => {
  it("SAFE-1: warns at a tenth and halts at a quarter of the calls", () => {
    const rates = [0, 1, 2, 4, 5].map((failed) => windowOf(calls(20, failed)));
    const now = start + 2000;
    expect(rates.map((window) => errorsAreMany(window, now))).toEqual([false, false, true, true, true]);
    expect(rates.map((window) => tripOnErrors(window, now)?.current)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      0.25,
    ]);
  });

  it("SAFE-1: does not judge by a few calls", () => {
    expect(tripOnErrors(windowOf(calls(9, 9)), start + 1000)).toBeUndefined();
    expect(errorsAreMany(windowOf(calls(9, 9)), start + 1000)).toBe(false);
    expect(tripOnErrors(windowOf(calls(10, 9)), start + 1000)).toMatchObject({ breaker: "errors" });
  });

  it("SAFE-1: forgets calls after five minutes, and stays small", () => {
    const window = windowOf(calls(20, 20));
    expect(tripOnErrors(window, start + 4 * MINUTE)).toBeDefined();
    expect(tripOnErrors(window, start + 5 * MINUTE + 2000)).toBeUndefined();
    const long = windowOf(Array.from({ length: 20_000 }, (_, index) => ({ failed: false, at: start + index * 50 })));
    expect(long.length).toBeLessThanOrEqual(301);
  });

  it("SAFE-1: is restored from what was stored", () => {
    const window = windowOf(calls(12, 6));
    const restored = JSON.parse(JSON.stringify(window)) as ErrorWindow;
    expect(tripOnErrors(restored, start + 2000)).toEqual(tripOnErrors(window, start + 2000));
  });
});

describe("the breaker of cost", () => {
  it("SAFE-2: says which budget does not allow another call", () => {
    const refusal = { scope: "day", limitUsd: 200, usedUsd: 199.9, neededUsd: 0.25 } as const;
    expect(tripOnCost(refusal)).toEqual({
      breaker: "cost",
      scope: "day",
      limit: 200,
      current: 199.9,
      message:
        "The budget of $200.00 for this day does not allow another call: $199.90 is spent or reserved, and the call may cost $0.25.",
    });
  });
});
