import { z } from "zod";
import { Trip } from "./trip-rules.ts";

/** Whether work may go on, restored from what is stored (SAFE-1): closed, or open because of a trip since a moment (ISO 8601, UTC). */
export const BreakerState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("closed") }),
  z.object({ status: z.literal("open"), trip: Trip, since: z.string() }),
]);
export type BreakerState = Readonly<z.infer<typeof BreakerState>>;

/** The first trip counts: it is what people are told of and what has to be reset. */
export function openBreaker(state: BreakerState, trip: Trip, since: string): BreakerState {
  return state.status === "open" ? state : { status: "open", trip, since };
}

/** What can close an open breaker: two commands, and the day's end. */
export const RESETS = ["extend", "retry", "new_day"] as const;
export type Reset = (typeof RESETS)[number];

/** What closes a breaker that opened for this: cost and iterations are extended, time and errors retried, a day's money comes back by itself. */
export function resetFor(trip: Trip): Reset {
  if (trip.breaker === "time" || trip.breaker === "errors") return "retry";
  const isDaily = trip.scope === "day" || trip.scope === "repository" || trip.scope === "installation";
  return trip.breaker === "cost" && isDaily ? "new_day" : "extend";
}

/** The state after a reset; a reset of another kind changes nothing. */
export function resetBreaker(state: BreakerState, reset: Reset, now: string): BreakerState {
  if (state.status === "closed" || resetFor(state.trip) !== reset) return state;
  if (reset === "new_day" && now.slice(0, 10) === state.since.slice(0, 10)) return state;
  return { status: "closed" };
}
