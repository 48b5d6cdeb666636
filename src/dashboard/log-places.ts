import type { LogPlace } from "../store/events/tail.ts";
import type { Seal } from "./seal.ts";

/** Digits of a place, so that all look alike. */
const DIGITS = 16;

/**
 * Places of the log as pages carry them. They count the events of the whole installation, so a person could see by them how much happens in
 * repositories that are not theirs: they are sealed, and no two look alike.
 */
export interface LogPlaces {
  close(place: LogPlace): string;
  /** Undefined for what was not closed here. */
  open(given: string): LogPlace | undefined;
}

/** `bound`: whose page it is. */
export function createLogPlaces(seal: Seal, bound: string): LogPlaces {
  return {
    close: (place) => seal.close("a place in the log", String(place).padStart(DIGITS, "0"), bound),
    open: (given) => {
      const opened = given.length > 200 ? undefined : seal.open("a place in the log", given, bound);
      return opened === undefined ? undefined : Number(opened);
    },
  };
}
