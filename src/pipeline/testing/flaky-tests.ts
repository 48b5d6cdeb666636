import { RUN_ITSELF } from "../../analysis/tests/test-results.ts";
import type { Ran, SeenFailure } from "./run-files.ts";

/** What failed once and certainly passed when it was repeated. */
export function flakyOf(
  once: readonly SeenFailure[],
  again: Pick<Ran, "passed" | "failures" | "reached">,
): SeenFailure[] {
  // A repetition that failed as a whole says of no test in it that it passed.
  if (again.passed === 0 || again.failures.some(({ name }) => name === RUN_ITSELF)) return [];
  const [before, after] = [keysOf(once), keysOf(again.failures)];
  // Nor does a file that failed in a way in which it did not fail before: its tests may not have been run.
  const unclear = new Set(again.failures.filter((each) => !before.has(keyOf(each))).map(({ file }) => file));
  if (unclear.has(undefined)) return [];
  const wasRun = (file: string | undefined) =>
    file === undefined || again.reached === undefined || again.reached.has(file);
  return once.filter((each) => !after.has(keyOf(each)) && !unclear.has(each.file) && wasRun(each.file));
}

/** Failures by file and name. */
export function keysOf(failures: readonly SeenFailure[]): ReadonlySet<string> {
  return new Set(failures.map(keyOf));
}

export function keyOf({ file, name }: SeenFailure): string {
  return `${file ?? ""}\0${name}`;
}
