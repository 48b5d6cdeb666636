import { z } from "zod";

/** Scopes of money (SAFE-1), the narrowest first. Repository, installation and day count what all runs spend in a day (UTC). */
export const BUDGET_SCOPES = ["phase", "run", "subject", "repository", "installation", "day"] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** One limit that a call counts against. `key` tells scopes of the same kind apart: the run's id, the date, ... */
export interface BudgetLimit {
  readonly scope: BudgetScope;
  readonly key: string;
  readonly limitUsd: number;
}

/** Which limit does not allow it. `usedUsd` is spent or reserved. */
export interface BudgetRefusal {
  readonly scope: BudgetScope;
  readonly limitUsd: number;
  readonly usedUsd: number;
  readonly neededUsd: number;
}

const micros = z.number().int().min(0);

/** Money in millionths of a USD, so that sums are exact: what was spent by scope, and what is reserved by call. A value that can be stored. */
export const Ledger = z.object({
  spent: z.record(z.string(), micros),
  reserved: z.record(z.string(), z.object({ micros, scopes: z.array(z.string()) })),
});
export type Ledger = Readonly<z.infer<typeof Ledger>>;

export const EMPTY_LEDGER: Ledger = { spent: {}, reserved: {} };

/** Rounded up: a budget is never overshot by rounding. */
export function toMicros(usd: number): number {
  return Math.ceil(usd * 1e6 - 1e-6);
}

/**
 * Sets money aside before a call, against all limits at once (SAFE-2). A limit may be used up exactly, never overshot. The id must be new.
 */
export function reserve(
  ledger: Ledger,
  call: { readonly id: string; readonly usd: number; readonly limits: readonly BudgetLimit[] },
): { readonly ok: true; readonly ledger: Ledger } | { readonly ok: false; readonly refusal: BudgetRefusal } {
  const needed = toMicros(call.usd);
  for (const limit of call.limits) {
    const used = usedMicros(ledger, limit);
    if (used + needed > toMicros(limit.limitUsd)) {
      return { ok: false, refusal: { ...pick(limit), usedUsd: used / 1e6, neededUsd: needed / 1e6 } };
    }
  }
  const reservation = { micros: needed, scopes: call.limits.map(nameOf) };
  return { ok: true, ledger: { ...ledger, reserved: { ...ledger.reserved, [call.id]: reservation } } };
}

/** Exchanges a reservation for what the call really cost, which may be more than was reserved. An unknown id changes nothing. */
export function settle(ledger: Ledger, id: string, usd: number): Ledger {
  const reservation = ledger.reserved[id];
  if (!reservation) return ledger;
  const spent = { ...ledger.spent };
  for (const scope of reservation.scopes) spent[scope] = (spent[scope] ?? 0) + toMicros(usd);
  return { ...release(ledger, id), spent };
}

/** Gives a reservation back: the call did not happen. */
export function release(ledger: Ledger, id: string): Ledger {
  const { [id]: _, ...reserved } = ledger.reserved;
  return { ...ledger, reserved };
}

/** The rest of the tightest limit, in USD, and as a share of that limit (0 to 1). Without limits: without end. */
export function leftOf(
  limits: readonly BudgetLimit[],
  usedUsd: (limit: BudgetLimit) => number,
): { readonly usd: number; readonly share: number } {
  let tightest = { usd: Number.POSITIVE_INFINITY, share: 1 };
  for (const limit of limits) {
    const usd = Math.max(0, limit.limitUsd - usedUsd(limit));
    if (usd < tightest.usd) tightest = { usd, share: limit.limitUsd > 0 ? usd / limit.limitUsd : 0 };
  }
  return tightest;
}

/** Spent and reserved against a limit, in USD. */
export function usedUsd(ledger: Ledger, limit: BudgetLimit): number {
  return usedMicros(ledger, limit) / 1e6;
}

function usedMicros(ledger: Ledger, limit: BudgetLimit): number {
  const name = nameOf(limit);
  const reserved = Object.values(ledger.reserved).filter(({ scopes }) => scopes.includes(name));
  return reserved.reduce((sum, each) => sum + each.micros, ledger.spent[name] ?? 0);
}

function nameOf({ scope, key }: BudgetLimit): string {
  return `${scope}:${key}`;
}

function pick({ scope, limitUsd }: BudgetLimit) {
  return { scope, limitUsd };
}
