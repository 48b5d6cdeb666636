import { lockFileOf } from "./lock-files.ts";

/**
 * The first line of a lock file that no package manager writes; undefined if every line is known. For lock files that have to be JSON and are
 * not, the comparison reports it.
 * @returns 1-based
 */
export function findForeignLine(path: string, text: string): number | undefined {
  const reading = lockFileOf(path)?.read(text);
  if (reading === undefined) return undefined;
  if ("fault" in reading) return reading.fault === NOT_JSON ? undefined : (reading.line ?? 1);
  return reading.strange;
}

const NOT_JSON = "it is not JSON";
