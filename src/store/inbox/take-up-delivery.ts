import { sql } from "drizzle-orm";
import { statement } from "../statement.ts";
import type { Store } from "../store.ts";

/**
 * Puts a delivery that was given up into the queue once more, with all of its tries, and deletes its dead letter. Returns false, and does
 * nothing, where none was given up under this GUID: it is unknown, was handled, or is at work.
 * @param at ISO 8601
 */
export async function takeUpDelivery(store: Store, guid: string, at: string): Promise<boolean> {
  const isGivenUp = sql`exists (select 1 from deliveries where guid = ${guid} and state = 'failed')`;
  const isFeedback = sql`(select event from deliveries where guid = ${guid}) like 'feedback.%'`;
  const [, added] = await store.queue.together([
    statement(sql`
      delete from jobs where state = 'dead' and kind in ('delivery', 'feedback')
        and json_extract(payload, '$.deliveryId') = ${guid} and ${isGivenUp}`),
    statement(sql`
      insert into jobs (kind, key, payload, priority, run_at, state)
      select iif(${isFeedback}, 'feedback', 'delivery'), iif(${isFeedback}, event, 'delivery:' || guid),
        json_object('deliveryId', guid), 0, ${at}, 'queued'
      from deliveries where guid = ${guid} and state = 'failed' returning key`),
    statement(sql`update deliveries set state = 'received', reason = null where guid = ${guid} and state = 'failed'`),
  ]);
  const keys = added!.rows.map(({ key }) => String(key));
  if (keys.length > 0) for (const listener of store.jobListeners) listener(keys);
  return keys.length > 0;
}
