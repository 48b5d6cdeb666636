import { sql } from "drizzle-orm";
import { defined } from "../../domain/defined.ts";
import type { DELIVERY_STATES } from "../schema.ts";
import { statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { unpackBody } from "./delivery-body.ts";

export interface StoredDelivery {
  readonly guid: string;
  readonly event: string;
  readonly body: Buffer;
  readonly receivedAt: string;
  readonly state: (typeof DELIVERY_STATES)[number];
  readonly reason?: string;
}

interface Row {
  readonly event: string;
  readonly received_at: string;
  readonly state: StoredDelivery["state"];
  readonly reason: string | null;
  readonly body: ArrayBuffer;
}

export async function readDelivery(store: Store, guid: string): Promise<StoredDelivery | undefined> {
  // One statement, so that all parts are of one moment.
  const rows = await reading(
    store.read.all<Row>(sql`
      select 0 as part, event, received_at, state, reason, body from deliveries where guid = ${guid}
      union all select part, null, null, null, null, body from delivery_parts where guid = ${guid}
      order by part`),
  );
  const [row] = rows;
  if (!row) return undefined;
  const { event, received_at: receivedAt, state, reason } = row;
  const body = await unpackBody(rows.map((part) => new Uint8Array(part.body)));
  return { guid, event, body, receivedAt, state, ...defined({ reason: reason ?? undefined }) };
}

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
