import { ENDINGS, openingsFor, PARTS, READERS } from "../../test/hostile/time/readers.ts";
import type { GrowthCase } from "./growth.ts";

const LENGTH = 32 * 1024;

/** Every reader with every repeated part after every opening, each before one of the endings; growth.full.test.ts counts the same texts. */
export function pumpsOfReaders(): GrowthCase[] {
  return Object.entries(READERS).flatMap(([name, read]) =>
    PARTS.flatMap((part, at) =>
      openingsFor(name).map((opening, place) => {
        const ending = ENDINGS[(at + place) % ENDINGS.length] ?? "";
        return {
          group: `reader: ${name}`,
          name: `reader: ${name}: ${JSON.stringify(`${opening}${part}…${ending}`)}`,
          size: LENGTH,
          work: (length: number) => read(`${opening}${part.repeat(Math.ceil(length / part.length))}${ending}`),
        };
      }),
    ),
  );
}
