import { sql } from "drizzle-orm";
import type { JobKind } from "../domain/jobs.ts";
import { reading } from "./reading.ts";
import type { Store } from "./store.ts";

/**
 * When there may be something to claim: the earliest of the waiting jobs whose key is free, and of the leases that may run out. In the
 * past when a job can be claimed now; undefined when nothing waits.
 */
export async function nextRunAt(
  store: Store,
  kinds?: readonly JobKind[],
  keys?: readonly string[],
): Promise<string | undefined> {
  const ofKinds = kinds ? sql`and kind in (select value from json_each(${JSON.stringify(kinds)}))` : sql``;
  const ofKeys = keys ? sql`and key in (select value from json_each(${JSON.stringify(keys)}))` : sql``;
  const row = await reading(
    store.read.get<{ next: string | null }>(sql`
    select min(case state when 'queued' then run_at else lease_until end) as next from jobs as candidate
    where state = 'running' or state = 'queued' ${ofKinds} ${ofKeys}
      and not exists (select 1 from jobs as holder where holder.key = candidate.key and holder.state = 'running')`),
  );
  return row?.next ?? undefined;
}
