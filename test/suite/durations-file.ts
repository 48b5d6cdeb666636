import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** What a file of tests took when it ran last, in milliseconds: loading it, its hooks and its tests. */
export interface FileDuration {
  readonly ms: number;
  /** By the full name of each test. */
  readonly tests: Readonly<Record<string, number>>;
}

/** By path from the root of the repository. */
export type Durations = Readonly<Record<string, FileDuration>>;

/** Not committed: another machine has other figures. */
export const DURATIONS_FILE = "test-durations.json";

/** Empty where no run has left any, or where the file cannot be read: figures are a help and never a condition. */
export function readDurations(file = DURATIONS_FILE): Durations {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Durations;
  } catch {
    return {};
  }
}

/** Keeps what other files took in earlier runs, without those that no longer exist. */
export function mergeDurations(
  earlier: Durations,
  measured: Durations,
  isThere: (path: string) => boolean = existsSync,
): Durations {
  const merged = Object.entries({ ...earlier, ...measured }).filter(([path]) => isThere(path));
  return Object.fromEntries(merged.sort(([one], [other]) => one.localeCompare(other)));
}

/** Replaces the file in one step, so two runs at the same time leave one of two whole files. */
export function writeDurations(durations: Durations, file = DURATIONS_FILE): void {
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(durations, null, 1)}\n`);
  renameSync(next, file);
}
