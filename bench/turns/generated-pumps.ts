import { createRandom } from "../../test/chaos/random.ts";
import { pick } from "../../test/fuzz/mutate.ts";
import type { GrowthCase } from "./growth.ts";
import { OUTSIDE_READERS } from "./outside-readers.ts";
import type { OutsideReader } from "./reader.ts";

/** A text that is made to be slow: its middle is repeated. */
export interface Pump {
  readonly prefix: string;
  readonly middle: string;
  readonly suffix: string;
}

/** The two lengths are n and 4n: the longest comment is 65,536 characters. */
const LENGTH = 64 * 1024;
export const TIMES_LONGER = 4;

/** The line break that `.` does not match: it fails most patterns. */
const NO_DOT = "\u2028x";

/** Every reader of text from outside with every prefix and middle, each before two suffixes; the second is drawn. */
export function generatedPumps(): GrowthCase[] {
  return Object.entries(OUTSIDE_READERS).flatMap(([name, reader]) => {
    const random = createRandom(name.length);
    const pumps = reader.prefixes.flatMap((prefix) =>
      reader.middles.flatMap((middle) => {
        const suffixes = new Set([NO_DOT, pick(reader.suffixes, random)]);
        return [...suffixes].map((suffix) => ({ prefix, middle, suffix }));
      }),
    );
    return pumps.map((pump) => growthOf(name, reader, pump));
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
