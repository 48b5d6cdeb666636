import { readFileSync } from "node:fs";

/** A text that recheck calls slow for a pattern: each pump is repeated, after its prefix. */
export interface Attack {
  readonly pumps: readonly (readonly [prefix: string, pump: string])[];
  readonly suffix: string;
}

interface MeasuredPatterns {
  /** By the pattern as a literal. */
  readonly patterns: Readonly<Record<string, Attack>>;
}

/** Patterns that recheck calls slow by its search, each with a bound in `exceptions.json`: within it their time is linear. `npm run bench:turns -- --only measured` measures each. */
export function readMeasured(): MeasuredPatterns {
  return JSON.parse(readFileSync(new URL("measured.json", import.meta.url), "utf8")) as MeasuredPatterns;
}

/** The text of an attack with at least so many characters. */
export function attackText({ pumps, suffix }: Attack, length: number): string {
  const each = Math.ceil(length / pumps.length);
  const texts = pumps.map(([prefix, pump]) => prefix + pump.repeat(Math.ceil(each / pump.length)));
  return texts.join("") + suffix;
}
