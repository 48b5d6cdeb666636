import { sql } from "drizzle-orm";
import type { Release } from "./complete-job.ts";
import type { Claim } from "./extend-lease.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/** Lays the job among the dead letters: it is kept with its error and never claimed again. */
export async function buryJob(store: Store, claim: Claim, error: string): Promise<Release> {
  const [buried] = await store.queue.together([
    statement(sql`
      update jobs set state = 'dead', error = ${error}, owner = null, lease_until = null, failures = failures + 1
      where id = ${Number(claim.id)} and token = ${claim.token} and state = 'running' returning id`),
  ]);
  return buried!.rows.length === 1 ? "released" : "lost";
}
