import type { Input } from "../../domain/inputs.ts";
import type { RecentRun } from "./decision.ts";
import type { GlobalLimits } from "./definition.ts";

const HOUR_MS = 3_600_000;

/** Which limit another run of a subject would break, in words, or undefined. */
export function brokenRunLimit(
  recent: readonly RecentRun[],
  { subject, at }: Pick<Input, "subject" | "at">,
  { called, runsPerHour, runsPerDay }: GlobalLimits,
): string | undefined {
  const { hour, day } = countRuns(recent, at);
  const where = subject.kind.replace("_", " ");
  if (hour >= runsPerHour) return `${runsPerHour} ${called} in an hour on this ${where}`;
  if (day >= runsPerDay) return `${runsPerDay} ${called} in a day on this ${where}`;
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
