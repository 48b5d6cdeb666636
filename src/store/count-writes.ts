import { and, eq, gte, sql } from "drizzle-orm";
import { reading } from "./reading.ts";
import { writes } from "./schema.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/** The longest window of GitHub's limits is an hour. */
const KEPT_MS = 2 * 60 * 60 * 1000;

/** How much an installation wrote since a moment, by all workers together; `oldest` tells when room comes back. */
export async function countWrites(
  store: Store,
  installationId: number,
  since: string,
): Promise<{ count: number; oldest?: string }> {
  const [row] = await reading(
    store.read
      .select({ count: sql<number>`coalesce(sum(${writes.count}), 0)`, oldest: sql<string | null>`min(${writes.at})` })
      .from(writes)
      .where(and(eq(writes.installationId, installationId), gte(writes.at, since))),
  );
  return { count: row?.count ?? 0, ...(row?.oldest ? { oldest: row.oldest } : {}) };
}

export async function recordWrites(
  store: Store,
  write: { readonly installationId: number; readonly at: string; readonly count: number },
): Promise<void> {
  const forgotten = new Date(Date.parse(write.at) - KEPT_MS).toISOString();
  await store.queue.together([
    statement(sql`delete from writes where installation_id = ${write.installationId} and at < ${forgotten}`),
    statement(
      sql`insert into writes (installation_id, at, count) values (${write.installationId}, ${write.at}, ${write.count})`,
    ),
  ]);
}
