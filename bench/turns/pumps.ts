import { ENDINGS, openingsFor, PARTS, READERS } from "../../test/hostile/time/readers.ts";
import type { GrowthCase } from "./growth.ts";

const LENGTH = 32 * 1024;

/** Every reader with every repeated part: a beginning, the part many times, an ending that does not fit. */
export function pumpsOfReaders(): GrowthCase[] {
  return Object.entries(READERS).flatMap(([name, read]) =>
    openingsFor(name).flatMap((opening) =>
      PARTS.flatMap((part) =>
        ENDINGS.map((ending) => ({
          group: `reader: ${name}`,
          name: `reader: ${name}: ${JSON.stringify(`${opening}${part}…${ending}`)}`,
          size: LENGTH,
          work: (length: number) => read(`${opening}${part.repeat(Math.ceil(length / part.length))}${ending}`),
        })),
      ),
    ),
  );
}
