import { sql } from "drizzle-orm";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/** Says what became of a delivery. */
export async function settleDelivery(
  store: Store,
  guid: string,
  state: "handled" | "ignored" | "failed",
  reason?: string,
): Promise<void> {
  await store.queue.together([
    statement(sql`update deliveries set state = ${state}, reason = ${reason ?? null} where guid = ${guid}`),
  ]);
}
