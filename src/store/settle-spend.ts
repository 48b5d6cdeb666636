import { sql } from "drizzle-orm";
import { toMicros } from "../safety/budget.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/** The tokens of a call, as the provider counted them. */
export interface SpentTokens {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/** Exchanges what was set aside for a call for what it cost, which may be more. Settled once: again changes nothing. */
export async function settleSpend(store: Store, id: string, usd: number, tokens: SpentTokens): Promise<void> {
  await store.queue.step([
    statement(sql`
      update spend set state = 'settled', micros = ${toMicros(usd)}, input_tokens = ${tokens.inputTokens},
        cache_read_tokens = ${tokens.cacheReadTokens}, cache_write_tokens = ${tokens.cacheWriteTokens},
        output_tokens = ${tokens.outputTokens}
      where id = ${id} and state <> 'settled'`),
  ]);
}

/** Gives back what was set aside for a call that did not happen. */
export async function releaseSpend(store: Store, id: string): Promise<void> {
  await store.queue.step([statement(sql`delete from spend where id = ${id} and state = 'reserved'`)]);
}

/**
 * Before a run is taken up again: of calls that were in flight when its process died only what they cost for being sent is counted, so that
 * restarts do not use a budget up.
 */
export async function giveUpSpend(store: Store, runId: string): Promise<void> {
  await store.queue.step([
    statement(
      sql`update spend set state = 'lost', micros = least_micros where run_id = ${runId} and state = 'reserved'`,
    ),
  ]);
}
