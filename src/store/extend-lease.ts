import { sql } from "drizzle-orm";
import type { ClaimedJob } from "./claim-job.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

export type Claim = Pick<ClaimedJob, "id" | "token">;

/** A worker's sign of life; tells it whether to go on. */
export async function extendLease(
  store: Store,
  claim: Claim,
  now: string,
  leaseMs: number,
): Promise<"held" | "lost" | "cancel_requested"> {
  const leaseUntil = new Date(Date.parse(now) + leaseMs).toISOString();
  const [extended] = await store.queue.together([
    statement(sql`
      update jobs set lease_until = ${leaseUntil}
      where id = ${Number(claim.id)} and token = ${claim.token} and state = 'running'
      returning cancel_requested`),
  ]);
  const row = extended!.rows[0];
  if (!row) return "lost";
  return Number(row.cancel_requested) === 1 ? "cancel_requested" : "held";
}
