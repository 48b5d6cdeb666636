import { asc, eq } from "drizzle-orm";
import { findBrokenLink, parseEvent, type RunEvent } from "../domain/events.ts";
import { reading } from "./reading.ts";
import { events } from "./schema.ts";
import type { Store } from "./store.ts";

/**
 * All events of a run in order; replaying them rebuilds it (EVT-3).
 * @throws ForgeError `event_invalid` when one does not fit the catalogue.
 */
export async function readEvents(store: Store, traceId: string): Promise<RunEvent[]> {
  return (await readStored(store, traceId)).map(parseEvent);
}

/** Whether the log of a run is as it was written; `brokenAt` is the version of the first event that is not. */
export async function verifyRun(store: Store, traceId: string): Promise<{ brokenAt?: number }> {
  const brokenAt = findBrokenLink(await readStored(store, traceId));
  return brokenAt === undefined ? {} : { brokenAt };
}

async function readStored(store: Store, traceId: string) {
  const rows = await reading(
    store.read.select().from(events).where(eq(events.traceId, traceId)).orderBy(asc(events.version)),
  );
  return rows.map(toStoredEvent);
}

/** A row as the event that it was: an absent member and a null one have different hashes. */
export function toStoredEvent({ payload, phase, actor, durationMs, cost, ...rest }: typeof events.$inferSelect) {
  return {
    ...rest,
    payload: JSON.parse(payload),
    ...(phase === null ? {} : { phase }),
    ...(actor === null ? {} : { actor: JSON.parse(actor) }),
    ...(durationMs === null ? {} : { durationMs }),
    ...(cost === null ? {} : { cost: JSON.parse(cost) }),
  };
}
