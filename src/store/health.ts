import { sql } from "drizzle-orm";
import { reading } from "./storage-error.ts";
import type { Store } from "./store.ts";

/** How this Forge does, as far as its database tells. Moments are ISO 8601. */
export interface StoreHealth {
  readonly lastWebhook: string | null;
  /** Since when the oldest job whose turn it is has been ready. */
  readonly readySince: string | null;
  readonly deadJobs: number;
  /** When a model was last asked. */
  readonly lastModelCall: string | null;
}

/** @param now ISO 8601 */
export async function readHealth(store: Store, now: string): Promise<StoreHealth> {
  const [row] = await reading(
    store.read.all<StoreHealth>(sql`
      select (select max(received_at) from deliveries) as lastWebhook,
        (select min(run_at) from jobs where state = 'queued' and run_at <= ${now}) as readySince,
        (select count(*) from jobs where state = 'dead') as deadJobs,
        (select at from spend order by rowid desc limit 1) as lastModelCall`),
  );
  return row ?? { lastWebhook: null, readySince: null, deadJobs: 0, lastModelCall: null };
}

/** USD spent or reserved on the day of a moment, in these repositories or in all. */
export async function readUsdOfDay(
  store: Store,
  { day, repositoryIds }: { readonly day: string; readonly repositoryIds?: readonly number[] },
): Promise<number> {
  const here =
    repositoryIds === undefined
      ? sql``
      : sql`and repository_id in (select value from json_each(${JSON.stringify(repositoryIds)}))`;
  const [row] = await reading(
    store.read.all<{ micros: number | null }>(sql`select sum(micros) as micros from spend where day = ${day} ${here}`),
  );
  return (row?.micros ?? 0) / 1e6;
}
