import { readTapPoint, type TapPoint } from "./tap-point.ts";

export interface TapOrder {
  /** Lines that look like results, and that a test printed. */
  readonly skip: ReadonlySet<number>;
  /** Results behind what a test printed without a line break. */
  readonly found: ReadonlyMap<number, TapPoint>;
  /** Numbers up to the plan of which there is no result. */
  missing(plan: number): number[];
}

const MOST_NAMED = 20;

/** Of a line with a result in its middle, so much is looked through. */
const LONGEST_LINE = 20_000;

/**
 * Tells the results of a runner from what tests print into the same stream: a runner numbers them from 1 on without a gap.
 * @param lines of the output of one program
 */
export function checkTapOrder(lines: readonly string[]): TapOrder {
  const skip = new Set<number>();
  const found = new Map<number, TapPoint>();
  let next = 1;
  const numbered = lines.some((line) => readTapPoint(line)?.number !== undefined);
  for (const [at, line] of lines.entries()) {
    const point = readTapPoint(line) ?? amid(line, next);
    if (!point || point.depth > 0) continue;
    if (point.number === next || (point.number === undefined && !numbered)) {
      found.set(at, point);
      next += 1;
    } else skip.add(at);
  }
  const missing = (plan: number) =>
    Array.from({ length: Math.min(MOST_NAMED, Math.max(0, plan - next + 1)) }, (_, index) => next + index);
  return { skip, found, missing };
}

/** `no line break herenot ok 3 name`, where 3 is the next number. */
function amid(line: string, next: number): TapPoint | undefined {
  const text = line.slice(0, LONGEST_LINE);
  if (text.startsWith(" ") || text.startsWith("#")) return undefined;
  for (const word of [`not ok ${next} `, `ok ${next} `]) {
    const at = text.lastIndexOf(word);
    if (at > 0) return readTapPoint(text.slice(at));
  }
  return undefined;
}
