import { describe, expect, it } from "vitest";
import { BreakerState, openBreaker, resetBreaker, resetFor } from "../../src/safety/breaker.ts";
import { ErrorWindow, noteCall } from "../../src/safety/error-window.ts";
import { extendLimits, PHASE_LIMITS, RUN_LIMITS } from "../../src/safety/loop-limits.ts";
import {
  errorsAreMany,
  type Trip,
  tripOnCost,
  tripOnErrors,
  tripOnIterations,
  tripOnTime,
} from "../../src/safety/trip-rules.ts";
import { whenOpen } from "../../src/safety/when-open.ts";
import { beginWork, NO_WORK, pauseWork, WorkingTime, workedMs } from "../../src/safety/working-time.ts";

const MINUTE = 60_000;
const start = Date.parse("2026-11-20T12:00:00Z");

function windowOf(calls: readonly { failed: boolean; at: number }[]): ErrorWindow {
  return calls.reduce<ErrorWindow>((window, { failed, at }) => noteCall(window, failed, at), []);
}

function calls(total: number, failed: number, at = start) {
  return Array.from({ length: total }, (_, index) => ({ failed: index < failed, at: at + index * 100 }));
}

const trip = (over: Partial<Trip> = {}): Trip => ({
  breaker: "cost",
  scope: "phase",
  limit: 2,
  current: 1.95,
  message: "",
  ...over,
});

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

  it("LOOP-20: allows what a person added", () => {
    const extended = extendLimits(PHASE_LIMITS.testing, { iterations: 2, usd: 5 });
    expect(extended).toEqual({ iterations: 7, usd: 8, ms: 20 * MINUTE });
    expect(tripOnIterations(6, extended)).toBeUndefined();
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

  it("SAFE-1: does not count waiting, also over a restart", () => {
    const waiting = pauseWork(beginWork(NO_WORK, start), start + 5 * MINUTE);
    const restored = WorkingTime.parse(JSON.parse(JSON.stringify(waiting)));
    const again = beginWork(restored, start + 600 * MINUTE);
    expect(workedMs(waiting, start + 600 * MINUTE)).toBe(5 * MINUTE);
    expect(workedMs(again, start + 602 * MINUTE)).toBe(7 * MINUTE);
  });

  it("does not lose worked time when the clock is set back, nor begin twice", () => {
    const time = beginWork(beginWork({ workedMs: 1000 }, start), start + 5000);
    expect(time.since).toBe(start);
    expect(workedMs(time, start - MINUTE)).toBe(1000);
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
    const restored = ErrorWindow.parse(JSON.parse(JSON.stringify(window)));
    expect(tripOnErrors(restored, start + 2000)).toEqual(tripOnErrors(window, start + 2000));
  });
});

describe("an open breaker", () => {
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

  it("SAFE-1: stays open for its first trip, also over a restart", () => {
    const open = openBreaker({ status: "closed" }, trip(), "2026-11-20T12:00:00.000Z");
    const restored = BreakerState.parse(JSON.parse(JSON.stringify(open)));
    expect(restored).toEqual(open);
    expect(openBreaker(restored, trip({ breaker: "time" }), "2026-11-20T12:05:00.000Z")).toEqual(open);
  });

  it.each([
    [trip(), "extend"],
    [trip({ scope: "subject" }), "extend"],
    [trip({ breaker: "iterations" }), "extend"],
    [trip({ breaker: "time" }), "retry"],
    [trip({ breaker: "time", scope: "run" }), "retry"],
    [trip({ breaker: "errors" }), "retry"],
    [trip({ scope: "day" }), "new_day"],
    [trip({ scope: "repository" }), "new_day"],
  ] as const)("SAFE-1: of %o is closed by %s alone", (cause, reset) => {
    expect(resetFor(cause)).toBe(reset);
    const open = openBreaker({ status: "closed" }, cause, "2026-11-20T23:00:00.000Z");
    for (const other of (["extend", "retry", "new_day"] as const).filter((name) => name !== reset)) {
      expect(resetBreaker(open, other, "2026-11-21T00:00:00.000Z")).toEqual(open);
    }
    expect(resetBreaker(open, reset, "2026-11-21T00:00:00.000Z")).toEqual({ status: "closed" });
  });

  it("SAFE-1: for a day's money waits until 00:00 UTC", () => {
    const open = openBreaker({ status: "closed" }, trip({ scope: "day" }), "2026-11-20T00:00:01.000Z");
    expect(resetBreaker(open, "new_day", "2026-11-20T23:59:59.000Z")).toEqual(open);
    expect(resetBreaker(open, "new_day", "2026-11-21T00:00:00.000Z")).toEqual({ status: "closed" });
  });

  it.each([
    [trip(), { canDegrade: true, someoneToAsk: true }, "degrade"],
    [trip(), { canDegrade: false, someoneToAsk: true }, "escalate"],
    [trip(), { canDegrade: false, someoneToAsk: false }, "halt"],
    [trip({ scope: "day" }), { canDegrade: false, someoneToAsk: true }, "halt"],
    [trip({ breaker: "iterations" }), { canDegrade: true, someoneToAsk: true }, "escalate"],
    [trip({ breaker: "time" }), { canDegrade: true, someoneToAsk: false }, "halt"],
    [trip({ breaker: "errors" }), { canDegrade: true, someoneToAsk: true }, "halt"],
  ] as const)("SAFE-1: of %o, with %o, means to %s", (cause, situation, consequence) => {
    expect(whenOpen(cause, situation)).toBe(consequence);
  });
});
