import { sql } from "drizzle-orm";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** A place in the whole log, of which each event has its own: they grow in the order in which processes stored the events. */
export type LogPlace = number;

/** That something happened in a run, or about a subject of a repository. */
export interface LogChange {
  readonly place: LogPlace;
  readonly traceId: string;
  readonly repositoryId: number;
}

/** The place of the last event; 0 before the first. */
export async function lastPlace(store: Store): Promise<LogPlace> {
  const [row] = await reading(store.read.all<{ place: number | null }>(sql`select max(rowid) as place from events`));
  return row?.place ?? 0;
}

/** What was stored after a place, in order; at most `limit`. What belongs to no run and no subject is left out. */
export async function readChangesAfter(
  store: Store,
  place: LogPlace,
  limit: number,
): Promise<{ readonly changes: readonly LogChange[]; readonly place: LogPlace; readonly more: boolean }> {
  const rows = await reading(
    store.read.all<{ place: number; traceId: string; repositoryId: number | null }>(sql`
      select found.place as place, found.trace_id as traceId, runs.repository_id as repositoryId
      from (select rowid as place, trace_id from events where rowid > ${place} order by rowid limit ${limit}) found
      left join runs on runs.trace_id = found.trace_id
      order by found.place`),
  );
  const changes = rows.flatMap(({ repositoryId, ...row }) => {
    const id = repositoryId ?? repositoryOf(row.traceId);
    return id === undefined ? [] : [{ ...row, repositoryId: id }];
  });
  return { changes, place: rows.at(-1)?.place ?? place, more: rows.length === limit };
}

/** The log of a subject is named after it: its kind, then the number of its repository; that of memories has the installation before that. */
export function repositoryOf(traceId: string): number | undefined {
  const [kind, first, second] = traceId.split(":");
  const id = Number(kind === "memory" ? second : first);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
