import { existsSync } from "node:fs";
import { createClient } from "@libsql/client";
import type { Simulator } from "../../simulator/start-simulator.ts";

/** Moments that Forge compares with now. */
const MOMENTS = [
  ["jobs", "run_at"],
  ["jobs", "lease_until"],
  ["effects", "sending_since"],
  ["writes", "at"],
] as const;
/** What GitHub counts: it may be older than it is while processes run. */
const WRITTEN = [["writes", "at"]] as const;

/** Makes everything that was written down in the database so much older. */
function ageStatements(
  moments: typeof MOMENTS | typeof WRITTEN,
  milliseconds: number,
): { sql: string; args: string[] }[] {
  return moments.map(([table, column]) => ({
    sql: `update ${table} set ${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, ?) where ${column} like '2%'`,
    args: [`-${milliseconds / 1000} seconds`],
  }));
}

/**
 * Lets time pass without waiting: everything that was written down, in Forge's database and in GitHub's log of deliveries, happened so much
 * earlier. No process may have the database open for writing, except where only writes grow old.
 */
export async function ageWorld(url: string, github: Simulator, milliseconds: number, only?: "writes"): Promise<void> {
  for (const delivery of github.deliveries) {
    const deliveredAt = new Date(Date.parse(delivery.deliveredAt) - milliseconds);
    Object.assign(delivery, { deliveredAt: `${deliveredAt.toISOString().slice(0, 19)}Z` });
  }
  const isFile = url.startsWith("file:");
  if (isFile && !existsSync(url.slice("file:".length))) return;
  const client = createClient({ url, ...(isFile ? { timeout: 5_000, concurrency: 1 } : {}) });
  const { rows } = await client.execute("select name from sqlite_master where name = 'jobs'");
  if (rows.length > 0) await client.batch(ageStatements(only ? WRITTEN : MOMENTS, milliseconds), "write");
  client.close();
}
