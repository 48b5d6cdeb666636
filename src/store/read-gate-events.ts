import { sql } from "drizzle-orm";
import { parseEvent, type RunEvent } from "../domain/events.ts";
import { type Subject, subjectKey } from "../domain/subjects.ts";
import { toStoredEvent } from "./read-events.ts";
import { reading } from "./reading.ts";
import { events } from "./schema.ts";
import type { Store } from "./store.ts";

/** Everything about gates in the runs of a subject, oldest first. */
export async function readGateEvents(store: Store, subject: Subject): Promise<RunEvent[]> {
  const rows = await reading(
    store.read
      .select()
      .from(events)
      .where(
        sql`${events.traceId} in (select trace_id from runs where subject_key = ${subjectKey(subject)})
          and ${events.type} like 'gate.%'`,
      )
      .orderBy(events.at, events.traceId, events.version),
  );
  return rows.map((row) => parseEvent(toStoredEvent(row)));
}
