import { eq } from "drizzle-orm";
import { reading } from "./reading.ts";
import { type DELIVERY_STATES, deliveries } from "./schema.ts";
import type { Store } from "./store.ts";

export interface StoredDelivery {
  readonly guid: string;
  readonly event: string;
  readonly body: Buffer;
  readonly receivedAt: string;
  readonly state: (typeof DELIVERY_STATES)[number];
  readonly reason?: string;
}

export async function readDelivery(store: Store, guid: string): Promise<StoredDelivery | undefined> {
  const [row] = await reading(store.read.select().from(deliveries).where(eq(deliveries.guid, guid)));
  if (!row) return undefined;
  const { event, body, receivedAt, state, reason } = row;
  return { guid, event, body, receivedAt, state, ...(reason === null ? {} : { reason }) };
}
