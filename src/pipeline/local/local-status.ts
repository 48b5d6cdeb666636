import { ForgeError } from "../../domain/errors.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { type ListedRun, listParked } from "../../store/runs/overview.ts";
import type { RunSearch } from "../../store/runs/search-runs.ts";
import type { Store } from "../../store/store.ts";
import { replayImplementation } from "../implement/evolve.ts";
import { KINDS } from "../kinds.ts";
import { failedSince, type Overview, type OverviewAsked, SHOWN, viewOverview } from "../views/view-overview.ts";
import { type RunReport, viewRun } from "../views/view-run.ts";
import { viewRuns } from "../views/view-runs.ts";
import { standingOf } from "./report-run.ts";

/** Runs of one checkout that are looked through for a status. */
const MOST_RUNS = 10_000;

/** The runs of a checkout that fit a search, as `viewRuns`, with the status that they have without GitHub. */
export async function viewLocalRuns(
  store: Store,
  { status, ...search }: RunSearch & { readonly limit: number },
): Promise<readonly ListedRun[]> {
  const { limit } = search;
  const { runs } = await viewRuns(store, { ...search, limit: status === undefined ? limit : MOST_RUNS });
  const standing = await withLocalStatus(store, runs);
  return standing.filter((run) => status === undefined || run.status === status).slice(0, limit);
}

/** As `viewRun`, of a checkout. */
export async function viewLocalRun(
  store: Store,
  runId: string,
  shows: Parameters<typeof viewRun>[2],
): Promise<RunReport | undefined> {
  const report = await viewRun(store, runId, shows);
  if (report === undefined) return undefined;
  const [run = report.run] = await withLocalStatus(store, [report.run]);
  return { ...report, run };
}

/** As `viewOverview`, of a checkout: work that is ready is not parked, and work that an error stopped has failed. */
export async function viewLocalOverview(store: Store, asked: OverviewAsked): Promise<Overview> {
  const overview = await viewOverview(store, asked);
  const since = failedSince(asked.now);
  const parked: ListedRun[] = [];
  const failed: ListedRun[] = [];
  // The newest first, and no further than the page shows: the status of each is in its whole log.
  for (const run of await listParked(store, { limit: MOST_RUNS })) {
    if (parked.length === SHOWN && run.startedAt < since) break;
    const [standing = run] = await withLocalStatus(store, [run]);
    if (standing.status === "waiting" && parked.length < SHOWN) parked.push(standing);
    if (standing.status === "failed" && run.startedAt >= since) failed.push(standing);
  }
  return { ...overview, parked, failed: [...failed, ...overview.failed] };
}

/**
 * On GitHub, work that is ready still waits for its pull request to be merged. On a checkout nothing of Forge comes after it, so it is completed.
 * Work that an error stopped, such as a key that the provider refuses, has failed. `forge run --resume` can still take up both.
 */
export async function withLocalStatus(store: Store, runs: readonly ListedRun[]): Promise<ListedRun[]> {
  const standing: ListedRun[] = [];
  for (const run of runs) {
    const isParked = KINDS[run.kind].resumable && run.status === "waiting";
    // One after the other: each is the whole log of a run, and thousands of them together do not fit into memory.
    const ended = isParked ? await endOf(store, run.runId) : undefined;
    // It took until its last event. Without an end, its time would go on.
    standing.push(ended === undefined ? run : { ...run, status: ended, endedAt: run.lastAt ?? run.endedAt });
  }
  return standing;
}

/** Undefined for a run that waits, and for one whose events this version does not know: it is listed as its row has it. */
async function endOf(store: Store, runId: string): Promise<"completed" | "failed" | undefined> {
  const events = await readEvents(store, runId).catch((error: unknown) => {
    if (error instanceof ForgeError && error.code === "event_invalid") return [];
    throw error;
  });
  const run = replayImplementation(events);
  const standing = run && standingOf(run);
  if (standing?.is === "ready") return "completed";
  // A person who stopped it, or a limit that was reached, waits for a person to go on.
  const isError = standing?.is === "stopped" && standing.by === undefined && standing.limit === undefined;
  return isError ? "failed" : undefined;
}
