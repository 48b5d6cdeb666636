import { randomBytes } from "node:crypto";
import type { AppUse } from "../github/permissions.ts";
import type { Place } from "./place.ts";

/** What a button of the page asks GitHub for. */
export interface Offer {
  readonly place: Place;
  readonly use: AppUse;
}

/** Offers that are known at once: those of twenty pages. */
const MOST = 60;

/**
 * What was offered, each by a `state` of its own. Another tab, or a page of others that leads here, can ask for another GitHub: a code that
 * comes back still goes to the one to which the button led that was pressed.
 */
export interface Offers {
  /** The same for the same offer. */
  stateFor(offer: Offer): string;
  find(state: string | null): Offer | undefined;
}

export function createOffers(): Offers {
  const states = new Map<string, string>();
  const offers = new Map<string, Offer>();
  return {
    stateFor(offer) {
      const key = JSON.stringify(offer);
      const known = states.get(key);
      if (known !== undefined) return known;
      const state = randomBytes(32).toString("base64url");
      states.set(key, state);
      offers.set(state, offer);
      const [oldest] = states;
      if (states.size > MOST && oldest !== undefined) {
        states.delete(oldest[0]);
        offers.delete(oldest[1]);
      }
      return state;
    },
    find: (state) => (state === null ? undefined : offers.get(state)),
  };
}
