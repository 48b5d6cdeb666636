import { sql } from "drizzle-orm";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/** Bodies are large: a commit takes this many, so that intake is not held up. */
const DELIVERIES_PER_COMMIT = 200;

/** Deletes deliveries received before a moment (DATA-2) and returns how many. One that was not handled yet stays. */
export async function expireDeliveries(store: Store, olderThan: string): Promise<number> {
  const expired = sql`
    select guid from deliveries where received_at < ${olderThan} and state <> 'received'
    order by received_at, guid limit ${DELIVERIES_PER_COMMIT}`;
  for (let total = 0; ; ) {
    const [, gone] = await store.queue.together([
      statement(sql`delete from delivery_parts where guid in (${expired})`),
      statement(sql`delete from deliveries where guid in (${expired})`),
    ]);
    total += gone!.rowsAffected;
    if (gone!.rowsAffected < DELIVERIES_PER_COMMIT) return total;
  }
}
