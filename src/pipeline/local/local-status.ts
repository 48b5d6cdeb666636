import { ForgeError } from "../../domain/errors.ts";
import type { RunStatus } from "../../domain/phases.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { listRuns } from "../../store/runs/read-runs.ts";
import type { RunProjection } from "../../store/runs/upsert-runs.ts";
import type { Store } from "../../store/store.ts";
import { replayImplementation } from "../implement/evolve.ts";
import { KINDS } from "../kinds.ts";
import { standingOf } from "./report-run.ts";

/** Runs of one checkout that are looked through for a status. */
const MOST_RUNS = 10_000;

/** The runs of a checkout, newest first, with the status that they have without GitHub. */
export async function listLocalRuns(
  store: Store,
  { status, limit }: { readonly status?: RunStatus; readonly limit: number },
): Promise<RunProjection[]> {
  const runs = await withLocalStatus(store, await listRuns(store, { limit: status === undefined ? limit : MOST_RUNS }));
  return runs.filter((run) => status === undefined || run.status === status).slice(0, limit);
}

/**
 * On GitHub, work that is ready still waits for its pull request to be merged. On a checkout nothing of Forge comes after it, so it is completed.
 * Work that an error stopped, such as a key that the provider refuses, has failed. `forge run --resume` can still take up both.
 */
export function withLocalStatus(store: Store, runs: readonly RunProjection[]): Promise<RunProjection[]> {
  return Promise.all(
    runs.map(async (run): Promise<RunProjection> => {
      if (!KINDS[run.kind].resumable || run.status !== "waiting") return run;
      return { ...run, status: (await endOf(store, run.traceId)) ?? run.status };
    }),
  );
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
