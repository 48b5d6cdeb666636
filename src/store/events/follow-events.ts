import { sql } from "drizzle-orm";
import { encodeTime } from "ulid";
import { defined } from "../../domain/defined.ts";
import type { EventType } from "../../domain/event-catalogue.ts";
import type { PlacedEvent } from "../../domain/events.ts";
import type { RunKind } from "../../domain/phases.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { CLOCK_MS } from "./read-events.ts";
import { type LogPlace, repositoryOf } from "./tail.ts";

/** An event with the kind of its run and the repository that it belongs to; neither where the log belongs to none, as that of a question. */
export interface FollowedEvent {
  readonly event: PlacedEvent;
  readonly mark: LogMark;
  readonly kind?: RunKind | undefined;
  readonly repositoryId?: number | undefined;
}

/** An event that was read: whether it is still at its place tells whether a part of the log was deleted since. */
export interface LogMark {
  readonly place: LogPlace;
  readonly id: string;
}

/** Places that are read at a time: others have their turn in between. */
const PAGE = 3_000;

/** The last event of the log; undefined for an empty log. */
export async function lastMark(store: Store): Promise<LogMark | undefined> {
  const [last] = await reading(
    store.read.all<LogMark>(sql`select rowid as place, id from events order by rowid desc limit 1`),
  );
  return last;
}

/** Whether the events of all these marks are still where they were. */
export async function areMarked(store: Store, marks: readonly LogMark[]): Promise<boolean> {
  // `cross join` has SQLite look up each mark by its place.
  const [row] = await reading(
    store.read.all<{ found: number }>(sql`
      select count(*) as found from json_each(${JSON.stringify(marks)}) mark
      cross join events on events.rowid = mark.value ->> '$.place' and events.id = mark.value ->> '$.id'`),
  );
  return row?.found === marks.length;
}

/** A place before every event since a moment (ISO 8601), as far as clocks of machines may differ. */
export async function placeBefore(store: Store, since: string): Promise<LogPlace> {
  // A text compares with ids as their times do: the first ten characters of an id are its milliseconds.
  const after = encodeTime(Date.parse(since) - CLOCK_MS);
  const [first] = await reading(
    store.read.all<{ place: number | null }>(sql`select min(rowid) as place from events where id > ${after}`),
  );
  return (first?.place ?? 1) - 1;
}

/**
 * Events of some types after one place and up to another, page by page in the order in which they were stored. They were checked when they were
 * written, and are not checked again.
 */
export async function* followEvents(
  store: Store,
  { after, upTo, types }: { after: LogPlace; upTo: LogPlace; types: readonly EventType[] },
): AsyncGenerator<readonly FollowedEvent[]> {
  const ofTypes = sql`events.type in (select value from json_each(${JSON.stringify(types)}))`;
  for (let from = after; from < upTo; from += PAGE) {
    const rows = await reading(
      store.read.all<FollowedRow>(sql`
        select events.rowid as place, events.id as id, events.trace_id as traceId, events.version as version, events.at as at, events.type as type, events.payload as payload,
          runs.kind as kind, runs.repository_id as repositoryId
        from events left join runs on runs.trace_id = events.trace_id
        where events.rowid > ${from} and events.rowid <= ${Math.min(from + PAGE, upTo)} and ${ofTypes}
        order by events.rowid`),
    );
    yield rows.map(({ place, id, kind, repositoryId, payload, ...event }) => ({
      mark: { place, id },
      event: { ...event, payload: JSON.parse(payload) } as PlacedEvent,
      ...defined({ kind: kind ?? undefined, repositoryId: repositoryId ?? repositoryOf(event.traceId) }),
    }));
  }
}

interface FollowedRow extends LogMark {
  readonly traceId: string;
  readonly version: number;
  readonly at: string;
  readonly type: EventType;
  readonly payload: string;
  readonly kind: RunKind | null;
  readonly repositoryId: number | null;
}
