import type { Phase } from "../domain/phases.ts";
import type { BudgetRefusal, BudgetScope } from "./budget.ts";

/** That a limit was reached: which, where it stands, and a sentence for people. What follows from it is decided elsewhere (SAFE-1). */
export interface Trip {
  readonly breaker: "iterations" | "cost" | "time" | "errors";
  /** The owner of the limit: the phase, but for money and for the time of the whole run. */
  readonly scope: BudgetScope;
  readonly limit: number;
  readonly current: number;
  readonly message: string;
}

/** Calls of a model in this phase since the count was last reset. A limit of N allows exactly N. */
export function tripOnIterations(calls: number, limits: Pick<PhaseLimits, "iterations">): Trip | undefined {
  const limit = limits.iterations;
  if (calls < limit) return undefined;
  const message = `The limit of ${limit} model calls for this phase is reached.`;
  return { breaker: "iterations", scope: "phase", limit, current: calls, message };
}

/** Calls of a model in all phases of a run, reflections and the like included. A limit of N allows exactly N. */
export function tripOnRunCalls(calls: number, limit: number): Trip | undefined {
  if (calls < limit) return undefined;
  const message = `The limit of ${limit} model calls for this run is reached.`;
  return { breaker: "iterations", scope: "run", limit, current: calls, message };
}

/** Working time of the phase and of the whole run, in milliseconds. */
export function tripOnTime(
  worked: { readonly phaseMs: number; readonly runMs: number },
  limits: { readonly phaseMs: number; readonly runMs: number },
): Trip | undefined {
  for (const [scope, current, limit] of [
    ["phase", worked.phaseMs, limits.phaseMs],
    ["run", worked.runMs, limits.runMs],
  ] as const) {
    if (current < limit) continue;
    const message = `The ${Math.round(limit / 60_000)} minutes of work for this ${scope} are used up.`;
    return { breaker: "time", scope, limit, current, message };
  }
  return undefined;
}

/** So many calls are enough to judge a rate by. */
const ENOUGH_CALLS = 10;
const WARNING_RATE = 0.1;
const HALT_RATE = 0.25;

/** A quarter of the calls of the last five minutes failed. */
export function tripOnErrors(window: ErrorWindow, now: number): Trip | undefined {
  const { calls, rate } = errorRate(window, now);
  if (calls < ENOUGH_CALLS || rate < HALT_RATE) return undefined;
  const message = `${Math.round(rate * 100)} % of the last ${calls} calls failed; from ${HALT_RATE * 100} % on nothing is tried any more.`;
  return { breaker: "errors", scope: "phase", limit: HALT_RATE, current: rate, message };
}

/** A tenth failed: worth telling, not worth stopping for. */
export function errorsAreMany(window: ErrorWindow, now: number): boolean {
  const { calls, rate } = errorRate(window, now);
  return calls >= ENOUGH_CALLS && rate >= WARNING_RATE;
}

/** A reservation that was refused (SAFE-2): the money is not spent, but the next call might spend it. */
export function tripOnCost(refusal: BudgetRefusal): Trip {
  const { scope, limitUsd, usedUsd, neededUsd } = refusal;
  const message = `The budget of ${dollars(limitUsd)} for this ${scope} does not allow another call: ${dollars(usedUsd)} is spent or reserved, and the call may cost ${dollars(neededUsd)}.`;
  return { breaker: "cost", scope, limit: limitUsd, current: usedUsd, message };
}

/** Money as Forge says it: cents, and smaller parts where it is less than one. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
}

/** How far back calls are judged, in milliseconds. */
const WINDOW_MS = 5 * 60_000;
/** Calls are kept by the second, so that the window stays small however many there are. */
const SLOT_MS = 1000;

/** Calls of the last five minutes and how many failed, by the second; oldest first. A value that survives JSON. */
export type ErrorWindow = readonly {
  /** Since 1970. */
  readonly second: number;
  readonly calls: number;
  readonly failed: number;
}[];

/** The window with one more call; `now` in milliseconds since 1970. */
export function noteCall(window: ErrorWindow, failed: boolean, now: number): ErrorWindow {
  const second = Math.floor(now / SLOT_MS);
  const recent = window.filter((slot) => isRecent(slot.second, now));
  const last = recent.at(-1);
  const more = failed ? 1 : 0;
  if (last?.second !== second) return [...recent, { second, calls: 1, failed: more }];
  return [...recent.slice(0, -1), { second, calls: last.calls + 1, failed: last.failed + more }];
}

/** How many calls the last five minutes saw, and the share of them that failed (0 to 1). */
function errorRate(window: ErrorWindow, now: number): { readonly calls: number; readonly rate: number } {
  const recent = window.filter((slot) => isRecent(slot.second, now));
  const calls = recent.reduce((sum, slot) => sum + slot.calls, 0);
  const failed = recent.reduce((sum, slot) => sum + slot.failed, 0);
  return { calls, rate: calls === 0 ? 0 : failed / calls };
}

function isRecent(second: number, now: number): boolean {
  return second * SLOT_MS > now - WINDOW_MS;
}

/** Limits of one phase of a run. */
export interface PhaseLimits {
  /** Exactly so many calls of a model (LOOP-20). */
  readonly iterations: number;
  readonly usd: number;
  /** Working time; waiting for people does not count. */
  readonly ms: number;
}

const MINUTE = 60_000;

/** As shipped (SAFE-1, LOOP-20); the configuration of a repository may give others. */
export const PHASE_LIMITS = {
  planning: { iterations: 20, usd: 5, ms: 30 * MINUTE },
  implementation: { iterations: 50, usd: 10, ms: 60 * MINUTE },
  review: { iterations: 10, usd: 2, ms: 30 * MINUTE },
  testing: { iterations: 5, usd: 3, ms: 20 * MINUTE },
  deployment: { iterations: 3, usd: 2, ms: 15 * MINUTE },
  monitoring: { iterations: 10, usd: 2, ms: 15 * MINUTE },
} as const satisfies Partial<Record<Phase, PhaseLimits>>;

/** Limits above the phase; `dayUsd` is for all runs of this Forge in a day (UTC) together. */
export const RUN_LIMITS = { usd: 50, ms: 120 * MINUTE, dayUsd: 200 } as const;
