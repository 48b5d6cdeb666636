import type { RecentRun } from "./decision.ts";

/** GH-8b: at most this many runs for one subject, whoever asks; a loop of bots is cut here at the latest. */
export const RUNS_PER_HOUR = 6;
export const RUNS_PER_DAY = 20;

const HOUR_MS = 3_600_000;

/** Which limit another run would break, in words, or undefined. */
export function brokenRunLimit(recent: readonly RecentRun[], at: string): string | undefined {
  const { hour, day } = countRuns(recent, at);
  if (hour >= RUNS_PER_HOUR) return `${RUNS_PER_HOUR} reviews in an hour on this pull request`;
  if (day >= RUNS_PER_DAY) return `${RUNS_PER_DAY} reviews in a day on this pull request`;
  return undefined;
}

/** Runs of the last hour and day. Those that ended before any work began do not count. */
export function countRuns(recent: readonly RecentRun[], at: string): { readonly hour: number; readonly day: number } {
  const now = Date.parse(at);
  const worked = recent.filter((run) => run.status !== "cancelled" || run.conclusion !== undefined);
  const counted = worked.filter((run) => run.conclusion !== "skipped");
  const within = (ms: number) => counted.filter((run) => now - Date.parse(run.startedAt) < ms).length;
  return { hour: within(HOUR_MS), day: within(24 * HOUR_MS) };
}
