import { sql } from "drizzle-orm";
import type { EffectResult } from "../../domain/effects.ts";
import { type Fence, guardFence, moveOn, passMark } from "../jobs/fence.ts";
import { type Statement, statement } from "../statement.ts";
import type { Store } from "../store.ts";

/**
 * Says that a write of an effect is sent now: found in this state after a crash, it is looked up on GitHub first (GH-13), where lists can
 * lag behind this moment. The `first` write of an attempt counts it.
 * @throws ForgeError `lease_lost`
 */
export async function markEffectSending(
  store: Store,
  { key, first }: { readonly key: string; readonly first: boolean },
  at: string,
  fence: Fence,
): Promise<void> {
  await store.queue.alone([
    guardFence(fence),
    ...passMark(fence),
    // Found in this state again, it is no further.
    ...moveOn(fence, sql`exists (select 1 from effects where key = ${key} and state = 'planned')`),
    statement(sql`
      update effects set state = 'sending', sending_since = ${at}, attempts = attempts + ${first ? 1 : 0}
      where key = ${key} and state in ('planned', 'sending')`),
  ]);
}

/**
 * Counts an attempt that came to no write, because GitHub did not answer a question before it.
 * @throws ForgeError `lease_lost`
 */
export async function noteUnanswered(store: Store, key: string, fence: Fence): Promise<void> {
  await store.queue.alone([
    guardFence(fence),
    statement(sql`update effects set attempts = attempts + 1 where key = ${key} and state in ('planned', 'sending')`),
  ]);
}

export type Settlement =
  | { readonly state: "done"; readonly result?: EffectResult }
  /** `error` is one sentence: why it cannot be done. */
  | { readonly state: "failed" | "obsolete"; readonly error?: string };

/** The outcome of an effect, by its key. */
export interface SettledEffect {
  readonly key: string;
  readonly settlement: Settlement;
}

/**
 * Says what became of an effect. One that is settled already stays as it is.
 * @throws ForgeError `lease_lost`
 */
export async function settleEffect(store: Store, settled: SettledEffect, at: string, fence: Fence): Promise<void> {
  await store.queue.alone([guardFence(fence), settleEffectStatement(settled, at), ...moveOn(fence)]);
}

/** The same as a part of a larger transaction. */
export function settleEffectStatement({ key, settlement }: SettledEffect, at: string): Statement {
  const result = settlement.state === "done" && settlement.result ? JSON.stringify(settlement.result) : null;
  const error = settlement.state !== "done" ? (settlement.error ?? null) : null;
  return statement(sql`
    update effects set state = ${settlement.state}, result = ${result}, error = ${error}, settled_at = ${at}
    where key = ${key} and state in ('planned', 'sending')`);
}
