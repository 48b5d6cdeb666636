import type { Trip } from "./trip-rules.ts";

/** What an open breaker means: stop, ask a person, or go on with the fast model. Either way what was found is kept (GH-12a). */
export type Consequence = "halt" | "escalate" | "degrade";

export interface Situation {
  /** The fast model is not yet the one at work, and the money that is left would pay a call of it. */
  readonly canDegrade: boolean;
  /** There is somebody whose answer could reset the breaker. */
  readonly someoneToAsk: boolean;
}

/** What follows from a trip (SAFE-1). Errors always halt: more of the same would only cost. So do limits that no one run can lift. */
export function whenOpen(trip: Trip, { canDegrade, someoneToAsk }: Situation): Consequence {
  if (trip.breaker === "errors") return "halt";
  if (trip.breaker === "cost" && canDegrade) return "degrade";
  const ownLimit = trip.scope === "phase" || trip.scope === "run" || trip.scope === "subject";
  return ownLimit && someoneToAsk ? "escalate" : "halt";
}
