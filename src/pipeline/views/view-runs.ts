import type { ListedRun, Wanted } from "../../store/runs/overview.ts";
import { type RunSearch, searchRuns } from "../../store/runs/search-runs.ts";
import type { Store } from "../../store/store.ts";

const SHOWN = 50;

/** Runs that fit a search, a page of them. `next`: what to go on after, where there are more. */
export interface FoundRuns {
  readonly runs: readonly ListedRun[];
  readonly next?: { readonly startedAt: string; readonly runId: string };
}

/** @param search without `limit`: as many as a page shows */
export async function viewRuns(store: Store, search: RunSearch & Partial<Wanted>): Promise<FoundRuns> {
  const { limit = SHOWN } = search;
  const found = await searchRuns(store, { ...search, limit: limit + 1 });
  const runs = found.slice(0, limit);
  const last = runs.at(-1);
  return { runs, ...(found.length > limit && last ? { next: { startedAt: last.startedAt, runId: last.runId } } : {}) };
}
