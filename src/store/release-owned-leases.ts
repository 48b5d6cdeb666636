import { sql } from "drizzle-orm";
import { isFile } from "./connection.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/**
 * Makes every running job claimable at once. Right only for a process that owns its `file:` database and has no worker yet: then every
 * lease is a dead process's. Does nothing on a server, whose other workers live.
 */
export async function releaseOwnedLeases(store: Store): Promise<void> {
  if (!isFile(store.url)) return;
  await store.queue.together([statement(sql`update jobs set lease_until = '' where state = 'running'`)]);
}
