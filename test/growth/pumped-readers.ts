import { OUTSIDE_READERS } from "../../bench/turns/outside-readers.ts";
import { ENDINGS, openingsFor, PARTS, READERS } from "../hostile/time/readers.ts";
import type { OperationCounter } from "./operations.ts";

/** What reads text from outside, with the texts that it is given: each makes one that is as long as asked. */
export interface PumpedReader {
  readonly name: string;
  readonly read: (text: string) => unknown;
  readonly window?: number;
  /** Openings of the same part stand next to each other. */
  readonly openings: number;
  readonly pumps: readonly ((length: number) => string)[];
}

const pump = (opening: string, part: string, ending: string) => (length: number) =>
  `${opening}${part.repeat(Math.ceil(length / part.length))}${ending}`;

/** Every part after every opening, each before one of the endings. */
function pumpsOf(openings: readonly string[], parts: readonly string[], endings: readonly string[]) {
  return parts.flatMap((part, at) =>
    openings.map((opening, place) => pump(opening, part, endings[(at + place) % endings.length] ?? "")),
  );
}

/** All readers of `npm run bench:turns`. */
export const PUMPED: readonly PumpedReader[] = [
  ...Object.entries(OUTSIDE_READERS).map(([name, { read, prefixes, middles, suffixes, window = 0 }]) => {
    return { name, read, window, openings: prefixes.length, pumps: pumpsOf(prefixes, middles, suffixes) };
  }),
  ...Object.entries(READERS).map(([name, read]) => {
    const openings = openingsFor(name);
    return { name: `reader: ${name}`, read, openings: openings.length, pumps: pumpsOf(openings, PARTS, ENDINGS) };
  }),
];

/** Operations at 4n by those at n: 4 where they grow in proportion, 16 by the square. Sorting takes a little more than 4. */
export const MOST_TIMES = 4.5;

/**
 * Pumps for which a reader's operations grow faster than the text, as a sentence each. All are counted together, and where they grow too fast,
 * one by one.
 * @param least characters of the shorter text
 */
export async function growingFaster(
  counter: OperationCounter,
  { read, pumps, window = 0 }: PumpedReader,
  least: number,
): Promise<string[]> {
  const length = Math.max(least, window);
  const growth = async (chosen: PumpedReader["pumps"]) => {
    const work = (times: number) => async () => {
      for (const each of chosen) await read(each(times * length));
    };
    // What a reader makes once is made before it is counted.
    await work(1)();
    const [less, more] = [await counter.count(work(1)), await counter.count(work(4))];
    return more / less;
  };
  if ((await growth(pumps)) < MOST_TIMES) return [];
  const found: string[] = [];
  for (const each of pumps) {
    const times = await growth([each]);
    if (times >= MOST_TIMES) found.push(`${times.toFixed(1)} times the operations for ${JSON.stringify(each(20))}`);
  }
  return found.length > 0 ? found : ["all pumps together"];
}
