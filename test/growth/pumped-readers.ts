import { OUTSIDE_READERS } from "../../bench/turns/outside-readers.ts";
import { PUMPED_ON_MAIN, type PumpedReader, pumpsOf } from "./growing-faster.ts";

/** All readers of `npm run bench:turns`. */
export const PUMPED: readonly PumpedReader[] = [
  ...Object.entries(OUTSIDE_READERS).map(([name, { read, prefixes, middles, suffixes, window = 0 }]) => {
    return { name, read, window, openings: prefixes.length, pumps: pumpsOf(prefixes, middles, suffixes) };
  }),
  ...PUMPED_ON_MAIN,
];
