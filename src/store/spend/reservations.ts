import { type SQL, sql } from "drizzle-orm";
import { type BudgetRefusal, type BudgetScope, toMicros } from "../../safety/budget.ts";
import { type Fence, passMark } from "../jobs/fence.ts";
import { statement } from "../statement.ts";
import type { Store } from "../store.ts";
import { dayOf, type Spender, usedIn } from "./read-spend.ts";

export interface SpendLimit {
  readonly scope: BudgetScope;
  readonly limitUsd: number;
}

export interface NewReservation {
  /** New for each call. */
  readonly id: string;
  readonly spender: Spender;
  readonly provider: string;
  readonly model: string;
  /** The call's highest cost, and its cost if it is sent at all. */
  readonly usd: number;
  readonly leastUsd: number;
  readonly limits: readonly SpendLimit[];
  readonly at: string;
}

/**
 * Sets money aside for a call, against all limits at once (SAFE-2): looking and taking are one statement, so that runs and processes that
 * do it at the same time cannot overshoot together. A power cut may take back the last moment's calls: they are then not counted.
 */
export async function reserveSpend(
  store: Store,
  reservation: NewReservation,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly refusal: BudgetRefusal }> {
  const { id, spender, limits, at } = reservation;
  const day = dayOf(at);
  const needed = toMicros(reservation.usd);
  const used = limits.map(({ scope }) => usedIn(scope, spender, day));
  const fits = limits.map(({ limitUsd }, index) => sql`${used[index]} + ${needed} <= ${toMicros(limitUsd)}`);
  const held = sql`exists (select 1 from spend where id = ${id})`;
  const [, standing] = await store.queue.step([
    statement(sql`
      insert or ignore into spend
        (id, installation_id, repository_id, subject_key, run_id, phase, day, micros, least_micros, state, provider, model, at)
      select ${id}, ${spender.installationId}, ${spender.repositoryId}, ${spender.subjectKey}, ${spender.runId},
        ${spender.phase}, ${day}, ${needed}, ${toMicros(reservation.leastUsd)}, 'reserved', ${reservation.provider},
        ${reservation.model}, ${at}
      where ${all(fits)}`),
    statement(sql`select ${sql.join([held, ...used], sql`, `)}`),
  ]);
  const row = standing!.rows[0]!;
  if (row[0] === 1) return { ok: true };
  const amounts = limits.map((limit, index) => ({ ...limit, micros: Number(row[index + 1]) }));
  const tight = amounts.find(({ limitUsd, micros }) => micros + needed > toMicros(limitUsd)) ?? amounts[0]!;
  const { scope, limitUsd, micros } = tight;
  return { ok: false, refusal: { scope, limitUsd, usedUsd: micros / 1e6, neededUsd: needed / 1e6 } };
}

function all(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
}

/** The tokens of a call, as the provider counted them. */
interface SpentTokens {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/**
 * Exchanges what was set aside for a call for what it cost, which may be more. Settled once: again changes nothing. The job of the fence has
 * come as far as this answer.
 */
export async function settleSpend(
  store: Store,
  id: string,
  usd: number,
  tokens: SpentTokens,
  fence?: Fence,
): Promise<void> {
  await store.queue.step([
    statement(sql`
      update spend set state = 'settled', micros = ${toMicros(usd)}, input_tokens = ${tokens.inputTokens},
        cache_read_tokens = ${tokens.cacheReadTokens}, cache_write_tokens = ${tokens.cacheWriteTokens},
        output_tokens = ${tokens.outputTokens}
      where id = ${id} and state <> 'settled'`),
    ...passMark(fence),
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
