import { sql } from "drizzle-orm";
import type { EffectResult } from "../domain/effects.ts";
import { type Fence, guardFence } from "./fence.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/**
 * Says that an effect is about to be sent: found in this state after a crash, it is looked up on GitHub first (GH-13), some
 * seconds after the latest sending, because GitHub's lists lag.
 * @throws ForgeError `lease_lost`
 */
export async function markEffectSending(store: Store, key: string, at: string, fence: Fence): Promise<void> {
  await store.queue.alone([
    guardFence(fence),
    statement(sql`
      update effects set state = 'sending', sending_since = ${at}, attempts = attempts + 1
      where key = ${key} and state in ('planned', 'sending')`),
  ]);
}

export type Settlement =
  | { readonly state: "done"; readonly result?: EffectResult }
  /** `error` is one sentence: why it cannot be done. */
  | { readonly state: "failed" | "obsolete"; readonly error?: string };

/**
 * Says what became of an effect. One that is settled already stays as it is.
 * @throws ForgeError `lease_lost`
 */
export async function settleEffect(
  store: Store,
  key: string,
  settlement: Settlement,
  at: string,
  fence: Fence,
): Promise<void> {
  const result = settlement.state === "done" && settlement.result ? JSON.stringify(settlement.result) : null;
  const error = settlement.state !== "done" ? (settlement.error ?? null) : null;
  await store.queue.alone([
    guardFence(fence),
    statement(sql`
      update effects set state = ${settlement.state}, result = ${result}, error = ${error}, settled_at = ${at}
      where key = ${key} and state in ('planned', 'sending')`),
  ]);
}
