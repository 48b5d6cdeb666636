import { type SQL, sql } from "drizzle-orm";
import type { EventType } from "../../domain/event-catalogue.ts";
import { parseEvent, type RunEvent } from "../../domain/events.ts";
import { events } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { toStoredEvent } from "./read-events.ts";

/** An event as a line of a page: its payload as text, the first characters of it. */
export interface LogLine {
  readonly version: number;
  readonly at: string;
  readonly type: string;
  readonly phase: string | null;
  readonly by: string | null;
  readonly durationMs: number | null;
  readonly usd: number | null;
  readonly payload: string;
  /** Of the whole payload. */
  readonly characters: number;
}

/** Which events of a log a page has, `after` a version. */
export interface LogPage {
  readonly after: number;
  readonly limit: number;
  /** Characters of a payload. */
  readonly characters: number;
  /** The types of events on it; undefined: all. */
  readonly types?: readonly EventType[];
}

/** Events of a run as lines, in order. Nothing of them is parsed, however much there is. */
export function readLogPage(store: Store, traceId: string, page: LogPage): Promise<LogLine[]> {
  return reading(
    store.read.all<LogLine>(sql`
      select version, at, type, phase, json_extract(actor, '$.login') as "by", duration_ms as durationMs,
        json_extract(cost, '$.usd') as usd, substr(payload, 1, ${page.characters}) as payload, length(payload) as characters
      from events
      where trace_id = ${traceId} and version > ${page.after} ${page.types === undefined ? sql`` : among(page.types)}
      order by version limit ${page.limit}`),
  );
}

function among(types: readonly EventType[]): SQL {
  return sql`and type in (select value from json_each(${JSON.stringify(types)}))`;
}

/** The events of some types in a log, in order: the last `limit` of them. */
export async function readEventsOfTypes<T extends EventType>(
  store: Store,
  traceId: string,
  types: readonly T[],
  limit: number,
): Promise<readonly Extract<RunEvent, { type: T }>[]> {
  const rows = await reading(
    store.read
      .select()
      .from(events)
      .where(
        sql`${events.traceId} = ${traceId} and ${events.type} in (select value from json_each(${JSON.stringify(types)}))`,
      )
      .orderBy(sql`${events.version} desc`)
      .limit(limit),
  );
  return rows.reverse().map((row) => parseEvent(toStoredEvent(row)) as Extract<RunEvent, { type: T }>);
}
