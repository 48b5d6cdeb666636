import type { MetricFacts } from "../domain/metrics.ts";
import { readEventsSince } from "../store/events/read-events.ts";
import type { Store } from "../store/store.ts";
import { COUNTED_TYPES, startMetrics, windowsUntil } from "./fold-metrics.ts";

/**
 * The metrics of a repository, or of all of them, from the log alone; `to` is now, ISO 8601. Read page by page, so that others have their turn
 * and memory stays bounded.
 */
export async function measure(store: Store, to: string, repositoryId?: number): Promise<MetricFacts> {
  const metrics = startMetrics(to);
  const since = windowsUntil(to).before;
  for await (const page of readEventsSince(store, { since, types: COUNTED_TYPES, repositoryId })) {
    for (const counted of page) metrics.add(counted);
  }
  return metrics.result();
}
