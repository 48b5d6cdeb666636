import {
  type BudgetLimit,
  EMPTY_LEDGER,
  type Refusal,
  release,
  reserve,
  settle,
  usedUsd,
} from "../../safety/budget.ts";

/** Who keeps count of money over all runs that share a limit (SAFE-2): the database, or this process alone on the command line. */
export interface SpendKeeper {
  /** Sets money aside against all limits at once, or says which one does not allow it. */
  reserve(call: {
    readonly id: string;
    readonly usd: number;
    readonly limits: readonly BudgetLimit[];
  }): Promise<{ readonly ok: true } | { readonly ok: false; readonly refusal: Refusal }>;
  /** Exchanges what was set aside for what the call cost. */
  settle(id: string, usd: number): Promise<void>;
  release(id: string): Promise<void>;
  /** Spent and set aside against a limit, in USD. */
  used(limit: BudgetLimit): Promise<number>;
}

/** For one process without a database: `forge review --ai`. */
export function createLocalSpendKeeper(): SpendKeeper {
  let ledger = EMPTY_LEDGER;
  return {
    reserve: async (call) => {
      const reserved = reserve(ledger, call);
      if (reserved.ok) ledger = reserved.ledger;
      return reserved;
    },
    settle: async (id, usd) => {
      ledger = settle(ledger, id, usd);
    },
    release: async (id) => {
      ledger = release(ledger, id);
    },
    used: async (limit) => usedUsd(ledger, limit),
  };
}
