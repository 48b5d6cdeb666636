import { attackText, readMeasured } from "../../scripts/recheck/measured.ts";
import type { GrowthCase } from "./growth.ts";

const SIZE = 400_000;

/** The patterns that recheck calls slow and that `scripts/recheck/measured.json` calls linear, each on the text that recheck found (SEC-8). */
export const MEASURED_PATTERNS: readonly GrowthCase[] = Object.entries(readMeasured().patterns).map(([key, attack]) => {
  const end = key.lastIndexOf("/");
  const pattern = new RegExp(key.slice(1, end), `${key.slice(end + 1).replace(/[gy]/g, "")}g`);
  return {
    group: "measured patterns",
    name: `measured patterns: ${key.slice(0, 80)}`,
    size: SIZE,
    work: (length) =>
      attackText(attack, length)
        .matchAll(pattern)
        .reduce((count) => count + 1, 0),
  };
});
