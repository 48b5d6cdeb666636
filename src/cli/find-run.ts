import { subjectName } from "../domain/subjects.ts";
import type { RunProjection } from "../store/runs/upsert-runs.ts";
import { UsageError } from "./dispatch.ts";

/** Reading runs by a beginning of their id, and the latest ones. */
export interface RunFinder {
  find(prefix: string): Promise<readonly RunProjection[]>;
  latest(): Promise<readonly RunProjection[]>;
}

/**
 * The one run that a person means: any unambiguous beginning of its id.
 * @throws UsageError that names the runs it could be, or the latest ones when it is none of them
 */
export async function findRun(finder: RunFinder, prefix: string | undefined): Promise<RunProjection> {
  if (prefix === undefined) throw new UsageError(`which run? The latest:\n${listed(await finder.latest())}`);
  const found = await finder.find(prefix);
  const [run, other] = found;
  if (run === undefined)
    throw new UsageError(`no run begins with ${prefix}. The latest:\n${listed(await finder.latest())}`);
  if (other !== undefined)
    throw new UsageError(`${prefix} is the beginning of ${found.length} runs:\n${listed(found)}`);
  return run;
}

/** Runs, one a line: what each is, of what, how it stands and since when. */
export function listed(runs: readonly RunProjection[]): string {
  if (runs.length === 0) return "  (no runs)";
  return runs
    .map(({ traceId, kind, subject, status, startedAt }) =>
      [`  ${traceId}`, kind, subjectName(subject), status, startedAt].join("  "),
    )
    .join("\n");
}
