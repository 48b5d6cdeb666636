import { readHealth, type StoreHealth } from "../../store/health.ts";
import { type Queue, readQueue } from "../../store/jobs/read-queue.ts";
import type { Store } from "../../store/store.ts";

/** How this installation does (OPS-2), of all repositories together: for operators. */
export interface ProcessReport extends Queue {
  readonly health: StoreHealth;
}

/** @param now ISO 8601 */
export async function viewProcess(store: Store, now: string): Promise<ProcessReport> {
  const [queue, health] = await Promise.all([readQueue(store, now), readHealth(store, now)]);
  return { ...queue, health };
}
