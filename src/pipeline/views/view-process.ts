import { readWritesUsed, type WritesUsed } from "../../store/effects/read-writes.ts";
import { readHealth, readUsdOfDay, type StoreHealth } from "../../store/health.ts";
import { type Queue, readQueue } from "../../store/jobs/read-queue.ts";
import type { Store } from "../../store/store.ts";

/** How this installation does (OPS-2), of all repositories together: for operators. */
export interface ProcessReport extends Queue {
  readonly health: StoreHealth;
  /** What models cost today (UTC), in US dollars. */
  readonly usdToday: number;
  readonly writes: readonly WritesUsed[];
}

/** @param now ISO 8601 */
export async function viewProcess(store: Store, now: string): Promise<ProcessReport> {
  const [queue, health, usdToday, writes] = await Promise.all([
    readQueue(store, now),
    readHealth(store, now),
    readUsdOfDay(store, { day: now.slice(0, 10) }),
    readWritesUsed(store, now),
  ]);
  return { ...queue, health, usdToday, writes };
}
