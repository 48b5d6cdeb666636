import type { Trip } from "../ports.ts";
import type { LoopState } from "./loop-state.ts";
import type { Run } from "./turn.ts";

/** Asks the breakers in order; the first that trips counts. */
export async function findTrip(state: LoopState, { dependencies }: Run): Promise<Trip | undefined> {
  const { calls, totalCalls, spentUsd, activeMs } = state;
  for (const check of dependencies.checks) {
    const trip = await check({ now: dependencies.clock.now(), calls, totalCalls, spentUsd, activeMs });
    if (trip) return trip;
  }
  return undefined;
}
