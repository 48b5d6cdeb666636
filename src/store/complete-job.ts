import { sql } from "drizzle-orm";
import type { Claim } from "./extend-lease.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/** Whether the job was still the caller's; when not, nothing was changed. */
export type Release = "released" | "lost";

/** The job is done, and gone. */
export async function completeJob(store: Store, claim: Claim): Promise<Release> {
  const [gone] = await store.queue.together([
    statement(sql`
      delete from jobs where id = ${Number(claim.id)} and token = ${claim.token} and state = 'running' returning id`),
  ]);
  return gone!.rows.length === 1 ? "released" : "lost";
}
