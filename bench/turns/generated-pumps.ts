import { createRandom } from "../../test/chaos/random.ts";
import { pick } from "../../test/fuzz/mutate.ts";
import type { GrowthCase } from "./growth.ts";
import { OUTSIDE_READERS, type OutsideReader } from "./outside-readers.ts";

/** A text that is made to be slow: its middle is repeated. */
export interface Pump {
  readonly prefix: string;
  readonly middle: string;
  readonly suffix: string;
}

/** The two lengths are n and 4n: the longest comment is 65,536 characters. */
const LENGTH = 64 * 1024;
export const TIMES_LONGER = 4;

/** Every reader of text from outside with every middle, each behind a prefix and before a suffix that are drawn by the reader's name. */
export function generatedPumps(): GrowthCase[] {
  return Object.entries(OUTSIDE_READERS).flatMap(([name, reader]) => {
    const random = createRandom(name.length);
    const drawn = reader.middles.flatMap((middle) => {
      const prefix = pick(reader.prefixes, random);
      return [
        { prefix, middle, suffix: pick(reader.suffixes, random) },
        { prefix: "", middle, suffix: "\u2028x" },
      ];
    });
    return drawn.map((pump) => growthOf(name, reader, pump));
  });
}

function growthOf(name: string, { read }: OutsideReader, pump: Pump): GrowthCase {
  return {
    group: `pump: ${name}`,
    name: `pump: ${name}: ${nameOf(pump)}`,
    size: LENGTH,
    parts: TIMES_LONGER,
    work: (length) => read(textOf(pump, length)),
  };
}

/** @param length of the repeated middle, at least */
export function textOf({ prefix, middle, suffix }: Pump, length: number): string {
  return `${prefix}${middle.repeat(Math.ceil(length / middle.length))}${suffix}`;
}

export function nameOf({ prefix, middle, suffix }: Pump): string {
  return `${JSON.stringify(prefix.slice(-30))} ${JSON.stringify(middle)}… ${JSON.stringify(suffix)}`;
}
