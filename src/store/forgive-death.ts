import { sql } from "drizzle-orm";
import type { Claim } from "./extend-lease.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/** A worker that lost its job and lives was slow: nobody died with it. */
export async function forgiveDeath(store: Store, { id, token }: Claim): Promise<void> {
  await store.queue.together([
    statement(sql`
      update jobs set deaths = deaths - 1
      where id = ${Number(id)} and deaths > 0 and not (token = ${token} and state = 'running')`),
  ]);
}
