import { sql } from "drizzle-orm";
import { HOUR_MS, MINUTE_MS } from "../../safety/write-budget.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** What of its write budget an installation has used. */
export interface WritesUsed {
  readonly installationId: number;
  readonly contentInHour: number;
  readonly contentInMinute: number;
  readonly anyInMinute: number;
  /** ISO 8601: GitHub wants no writes before; null where it said nothing of that kind. */
  readonly pausedUntil: string | null;
}

/** Installations that are shown: those that wrote most. */
const MOST_SHOWN = 100;

/** Of every installation that wrote in the last hour or has to pause. @param now ISO 8601 */
export async function readWritesUsed(store: Store, now: string): Promise<readonly WritesUsed[]> {
  const since = (milliseconds: number) => new Date(Date.parse(now) - milliseconds).toISOString();
  const [hour, minute] = [since(HOUR_MS), since(MINUTE_MS)];
  return reading(
    store.read.all<WritesUsed>(sql`
      select installation_id as installationId, sum(content) as contentInHour,
        sum(content and at > ${minute}) as contentInMinute, sum(any_write and at > ${minute}) as anyInMinute,
        max(until) as pausedUntil
      from (
        select installation_id, at, content, 1 as any_write, null as until from writes where at > ${hour}
        union all select installation_id, '', 0, 0, until from write_pauses where until > ${now})
      group by installation_id order by contentInHour desc, installation_id limit ${MOST_SHOWN}`),
  );
}
