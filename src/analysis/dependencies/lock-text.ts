import { lockFileOf } from "./lock-files.ts";
import type { LockFileFault, LockReading } from "./locked-package.ts";

/**
 * The first line of a lock file that no package manager writes; undefined if every line is known, and for a file that is no lock file.
 * @returns 1-based
 */
export function findForeignLine(path: string, text: string): number | undefined {
  const reading = lockFileOf(path)?.read(text);
  return reading && foreignLineOf(reading, text);
}

/** The same of a reading. The comparison reports lock files that have to be JSON and are not, and JSON that lists no packages. */
export function foreignLineOf(reading: LockReading | LockFileFault, text: string): number | undefined {
  if (!("fault" in reading)) return reading.strange;
  const isTold = reading.fault === NOT_JSON || (reading.fault === NO_PACKAGES && text.trimStart().startsWith("{"));
  return isTold ? undefined : (reading.line ?? 1);
}

const NOT_JSON = "it is not JSON";
const NO_PACKAGES = "it lists no packages";
