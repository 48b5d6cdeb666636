import { type SQL, sql } from "drizzle-orm";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import type { StoredDelivery } from "./read-delivery.ts";

/** A delivery without what it says. */
export type ListedDelivery = Omit<StoredDelivery, "body" | "reason"> & { readonly reason: string | null };

/** Characters of a reason. */
const REASON_SHOWN = 500;

/** What became of the latest deliveries, of those given up last, and of these GUIDs; the newest first. */
export async function listDeliveries(
  store: Store,
  { latest, failed, guids }: { readonly latest: number; readonly failed: number; readonly guids: readonly string[] },
): Promise<readonly ListedDelivery[]> {
  // The dead letters name what was given up: looking for it among all deliveries would read them all.
  const wanted: SQL = sql`
    select guid from (select guid from deliveries order by received_at desc limit ${latest})
    union select json_extract(payload, '$.deliveryId') from (
      select payload from jobs where state = 'dead' and kind in ('delivery', 'feedback') order by id desc limit ${failed})
    union select value from json_each(${JSON.stringify(guids)})`;
  return reading(
    store.read.all<ListedDelivery>(sql`
      select guid, event, received_at as receivedAt, state, substr(reason, 1, ${REASON_SHOWN}) as reason
      from deliveries where guid in (${wanted}) order by received_at desc, guid`),
  );
}
