import type { Input } from "../../domain/inputs.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { RecentRun } from "./decision.ts";
import type { GlobalLimits } from "./definition.ts";

const HOUR_MS = 3_600_000;

/** The runs of each kind of subject, and the subject, in words. */
const COUNTED: Readonly<Record<Subject["kind"], readonly [what: string, where: string]>> = {
  issue: ["runs", "issue"],
  pull_request: ["reviews", "pull request"],
  merge_group: ["reviews", "merge group"],
  environment: ["deployments", "environment"],
};

/** Which limit another run of a subject would break, in words, or undefined. */
export function brokenRunLimit(
  recent: readonly RecentRun[],
  { subject, at }: Pick<Input, "subject" | "at">,
  limits: GlobalLimits,
): string | undefined {
  const { hour, day } = countRuns(recent, at);
  const [what, where] = COUNTED[subject.kind];
  if (hour >= limits.runsPerHour) return `${limits.runsPerHour} ${what} in an hour on this ${where}`;
  if (day >= limits.runsPerDay) return `${limits.runsPerDay} ${what} in a day on this ${where}`;
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
