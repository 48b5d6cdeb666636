import type { ListedRun } from "../store/runs/overview.ts";
import { UsageError } from "./dispatch.ts";
import { runTable } from "./run-table.ts";

/** Reading runs by a beginning of their id, and the latest ones. */
export interface RunFinder {
  find(prefix: string): Promise<readonly ListedRun[]>;
  latest(): Promise<readonly ListedRun[]>;
}

/**
 * The one run that a person means: any unambiguous beginning of its id.
 * @throws UsageError that names the runs it could be, or the latest ones when it is none of them
 */
export async function findRun(finder: RunFinder, prefix: string | undefined): Promise<ListedRun> {
  const listed = (runs: readonly ListedRun[]) => runTable(runs, { now: new Date() });
  if (prefix === undefined) throw new UsageError(`which run? The latest:\n${listed(await finder.latest())}`);
  const found = await finder.find(prefix);
  const [run, other] = found;
  if (run === undefined)
    throw new UsageError(`no run begins with ${prefix}. The latest:\n${listed(await finder.latest())}`);
  if (other !== undefined)
    throw new UsageError(`${prefix} is the beginning of ${found.length} runs:\n${listed(found)}`);
  return run;
}
