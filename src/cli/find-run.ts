import { ForgeError } from "../domain/errors.ts";
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
  if (prefix === undefined) throw new UsageError(`which run? ${await latestRuns(finder, listed)}`);
  const found = await finder.find(prefix);
  const [run, other] = found;
  if (run === undefined) throw new UsageError(`no run begins with ${prefix}. ${await latestRuns(finder, listed)}`);
  if (other !== undefined)
    throw new UsageError(`${prefix} is the beginning of ${found.length} runs:\n${listed(found)}`);
  return run;
}

/** The latest runs, or why they cannot be read: that is no reason to leave a missing argument unsaid. */
async function latestRuns(finder: RunFinder, listed: (runs: readonly ListedRun[]) => string): Promise<string> {
  try {
    return `The latest:\n${listed(await finder.latest())}`;
  } catch (error) {
    if (error instanceof ForgeError) return error.message;
    throw error;
  }
}
