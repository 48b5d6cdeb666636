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
export function pumpsOf(openings: readonly string[], parts: readonly string[], endings: readonly string[]) {
  return parts.flatMap((part, at) =>
    openings.map((opening, place) => pump(opening, part, endings[(at + place) % endings.length] ?? "")),
  );
}

/** What reads on the main thread, by Forge's own code. */
export const PUMPED_ON_MAIN: readonly PumpedReader[] = Object.entries(READERS).map(([name, read]) => {
  const openings = openingsFor(name);
  return { name: `reader: ${name}`, read, openings: openings.length, pumps: pumpsOf(openings, PARTS, ENDINGS) };
});

/**
 * What operations grow by from 2n to 4n, by what they grow by from n to 2n: 2 where they grow in proportion, 4 by the square, whatever a reader
 * does once. Sorting takes a little more than 2.
 */
const MOST_TIMES = 2.8;
/** One slow pump among a hundred shows only so little in what all of them take. */
const MOST_TIMES_TOGETHER = 2.1;
/** Every so many pumps have a reader make what it makes once. */
const WARMING = { characters: 20, each: 5 };

/** Runs the readers in short, so that what they make once is made before anything is counted. */
export async function warm(counter: OperationCounter, readers: readonly PumpedReader[]): Promise<void> {
  for (const { read, pumps } of readers)
    for (const pump of pumps.filter((_, at) => at % WARMING.each === 0)) await read(pump(WARMING.characters));
  await counter.forget();
}

/**
 * Pumps for which a reader's operations grow faster than the text, as a sentence each. All are counted together, and where they grow a little too
 * fast, each half of them. What begins beyond some length shows at one length only, so a pump that is found is counted again at the next. The reader
 * was warmed.
 * @param least characters of the shortest text
 */
export async function growingFaster(
  counter: OperationCounter,
  { read, pumps, window = 0 }: PumpedReader,
  least: number,
): Promise<string[]> {
  const length = Math.max(least, window);
  const growth = async (chosen: PumpedReader["pumps"], from: number) => {
    const work = (characters: number) => async () => {
      for (const each of chosen) await read(each(characters));
    };
    const [once, twice, more] = [
      await counter.count(work(from)),
      await counter.count(work(2 * from)),
      await counter.count(work(4 * from)),
    ];
    return twice > once ? (more - twice) / (twice - once) : 0;
  };
  const search = async (chosen: PumpedReader["pumps"]): Promise<string[]> => {
    const [first] = chosen;
    if (
      first === undefined ||
      (await growth(chosen, length)) < (chosen.length === 1 ? MOST_TIMES : MOST_TIMES_TOGETHER)
    )
      return [];
    if (chosen.length === 1) {
      const times = await growth(chosen, 4 * length);
      return times < MOST_TIMES ? [] : [`${times.toFixed(1)} times the growth for ${JSON.stringify(first(20))}`];
    }
    const half = Math.ceil(chosen.length / 2);
    return [...(await search(chosen.slice(0, half))), ...(await search(chosen.slice(half)))];
  };
  return search(pumps);
}
