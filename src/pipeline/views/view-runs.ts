import type { ListedRun, Wanted } from "../../store/runs/overview.ts";
import { type RunSearch, searchRuns } from "../../store/runs/search-runs.ts";
import type { Store } from "../../store/store.ts";

const SHOWN = 50;

/** Runs that fit a search, a page of them. `next`: what to go on after, where there are more. */
export interface FoundRuns {
  readonly runs: readonly ListedRun[];
  readonly next?: { readonly startedAt: string; readonly runId: string };
}

export async function viewRuns(store: Store, search: RunSearch & Pick<Wanted, "repositoryIds">): Promise<FoundRuns> {
  const found = await searchRuns(store, { ...search, limit: SHOWN + 1 });
  const runs = found.slice(0, SHOWN);
  const last = runs.at(-1);
  return { runs, ...(found.length > SHOWN && last ? { next: { startedAt: last.startedAt, runId: last.runId } } : {}) };
}
