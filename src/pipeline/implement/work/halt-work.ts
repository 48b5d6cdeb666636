import type { Implementation } from "../implementation.ts";
import { tell, type WorkDependencies, type WorkJob } from "./work-job.ts";

/** The run stands still until people have it go on, without an agent having worked; they read why. */
export async function haltWork(
  dependencies: WorkDependencies,
  job: WorkJob,
  { runId, costUsd }: Pick<Implementation, "runId" | "costUsd">,
  { reason, durationMs = 0 }: { readonly reason: string; readonly durationMs?: number },
): Promise<void> {
  await tell(dependencies, job, { type: "work.halted", runId, durationMs, costUsd, reason });
}

/** How many files that do not merge are named to people. */
const MOST_NAMED = 10;

/** The files that do not merge, as such a reason names them. */
export function nameConflicts(files: readonly string[]): string {
  return files
    .slice(0, MOST_NAMED)
    .map((path) => `\`${path}\``)
    .join(", ");
}
