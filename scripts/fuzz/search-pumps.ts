import { nameOf, type Pump, TIMES_LONGER, textOf } from "../../bench/turns/generated-pumps.ts";
import type { OutsideReader } from "../../bench/turns/reader.ts";
import { createRandom, type Random } from "../../test/chaos/random.ts";
import { pick } from "../../test/fuzz/mutate.ts";

export interface PumpSearch {
  readonly tried: number;
  readonly finds: readonly string[];
}

export interface PumpLimits {
  readonly seed: number;
  readonly goesOn: () => boolean;
  /** Milliseconds of processor time that work took. */
  readonly clock: (work: () => unknown) => Promise<number>;
}

/** Characters of the shorter text: four times as many show what grows by the square. */
const LENGTH = 8 * 1024;
/** Quicker work is not judged: the compiler and the collector would be measured. */
const MEASURABLE_MS = 25;
/** Time at 4n by time at n: 4 where it grows in proportion, 16 by the square. */
const MOST_TIMES = 9;
const TRIES = 3;

/** Looks for texts whose reading takes more than linear time, by chance: a prefix, a middle of up to three pieces many times, a suffix. */
export async function searchPumps(reader: OutsideReader, limits: PumpLimits): Promise<PumpSearch> {
  const random = createRandom(limits.seed);
  const finds: string[] = [];
  let tried = 0;
  while (limits.goesOn()) {
    const pump = drawPump(reader, random);
    tried += 1;
    const times = await growthOf(pump, reader, limits);
    if (times >= MOST_TIMES)
      finds.push(`${nameOf(pump)}: ${times.toFixed(1)} times for ${TIMES_LONGER} times the text`);
  }
  return { tried, finds };
}

function drawPump({ prefixes, middles, suffixes }: OutsideReader, random: Random): Pump {
  const pieces = (most: number, from: readonly string[]) =>
    Array.from({ length: Math.ceil(random() * most) }, () => pick(from, random)).join("");
  return {
    prefix: pick(prefixes, random) + (random() < 0.5 ? "" : pieces(2, middles)),
    middle: pieces(3, middles),
    suffix: pick(suffixes, random),
  };
}

async function growthOf(pump: Pump, { read }: OutsideReader, { clock }: PumpLimits): Promise<number> {
  const [short, long] = [textOf(pump, LENGTH), textOf(pump, LENGTH * TIMES_LONGER)];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < TRIES; tries += 1) {
    most = Math.min(most, await clock(() => read(long)));
    if (most < MEASURABLE_MS) return 0;
    least = Math.min(least, await clock(() => read(short)));
    if (most / Math.max(least, 1) < MOST_TIMES) return 0;
  }
  return most / Math.max(least, 1);
}
