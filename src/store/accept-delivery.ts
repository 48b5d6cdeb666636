import { sql } from "drizzle-orm";
import { statement } from "./statement.ts";
import type { Acceptance, NewDelivery, Store } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

/**
 * Puts a delivery into the inbox with the job that handles it, key `delivery:<guid>`. Resolves when both are on the disk; a GUID that was
 * there before changes nothing (SEC-7). Concurrent calls share one commit.
 * @throws ForgeError `storage_full`, `database_unreachable`: then it was not accepted and GitHub must not hear otherwise.
 */
export function acceptDelivery(store: Store, delivery: NewDelivery): Promise<Acceptance> {
  return store.deliveries.add(delivery);
}

/** The commit of a group of deliveries; answers for each, in order. */
export function acceptDeliveries(
  queue: WriteQueue,
  jobListeners: Store["jobListeners"],
): (group: readonly NewDelivery[]) => Promise<readonly Acceptance[]> {
  return async (group) => {
    const guids = JSON.stringify([...new Set(group.map(({ guid }) => guid))]);
    const [, inserted] = await queue.together([addJobs(guids, group[0]!.receivedAt), addRows(group)]);
    const accepted = new Set(inserted!.rows.map((row) => String(row.guid)));
    if (accepted.size > 0) {
      const keys = [...accepted].map((guid) => `delivery:${guid}`);
      for (const listener of jobListeners) listener(keys);
    }
    // Of two with the same GUID in one group the first is the accepted one.
    return group.map(({ guid }) => (accepted.delete(guid) ? "accepted" : "duplicate"));
  };
}

/** Before the rows, because only a GUID that has no row yet gets a job: the job of an old one may be done and gone. */
function addJobs(guids: string, runAt: string) {
  return statement(sql`
    insert into jobs (kind, key, payload, priority, run_at, state)
    select 'delivery', 'delivery:' || value, json_object('deliveryId', value), 0, ${runAt}, 'queued'
    from json_each(${guids}) where value not in (select guid from deliveries)`);
}

function addRows(group: readonly NewDelivery[]) {
  const values = group.map(
    ({ guid, event, hookTargetId, receivedAt, body }) =>
      sql`(${guid}, ${event}, ${hookTargetId ?? null}, ${receivedAt}, 'received', ${body})`,
  );
  return statement(sql`
    insert into deliveries (guid, event, hook_target_id, received_at, state, body)
    values ${sql.join(values, sql`, `)}
    on conflict (guid) do nothing returning guid`);
}
