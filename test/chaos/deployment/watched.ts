import { sql } from "drizzle-orm";
import { replayDeployment } from "../../../src/pipeline/deploy/evolve.ts";
import { readEvents } from "../../../src/store/events/read-events.ts";
import { listRuns } from "../../../src/store/runs/read-runs.ts";
import type { Store } from "../../../src/store/store.ts";

/** A version that is out is looked at again this soon, whoever died. */
const WATCHED_WITHIN_MS = 60_000;

/** Deployments under way with a step begun that no job looks at in time, by what the queue says. */
export async function unwatched(store: Store): Promise<string[]> {
  const faults: string[] = [];
  for (const { traceId, kind, status } of await listRuns(store, { limit: 1_000 })) {
    if (kind !== "deploy" || status === "completed") continue;
    const steps = replayDeployment(await readEvents(store, traceId))?.steps ?? [];
    if (steps.length === 0) continue;
    const [next] = await store.read.all<{ at: string | null }>(sql`
      select min(coalesce(lease_until, run_at)) as at from jobs
      where kind = 'deploy' and run_id = ${traceId} and state in ('queued', 'running')`);
    if (!next?.at) faults.push(`nobody looks at the deployment ${traceId}`);
    else if (Date.parse(next.at) - Date.now() > WATCHED_WITHIN_MS)
      faults.push(`the deployment ${traceId} is looked at again only at ${next.at}`);
  }
  return faults;
}
