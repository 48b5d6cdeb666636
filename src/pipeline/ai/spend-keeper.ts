import type { Phase } from "../../domain/phases.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import type { Usage } from "../../llm/ports.ts";
import {
  type BudgetLimit,
  type BudgetRefusal,
  EMPTY_LEDGER,
  release,
  reserve,
  settle,
  usedUsd,
} from "../../safety/budget.ts";
import type { Fence } from "../../store/jobs/fence.ts";
import { readUsedUsd, type Spender } from "../../store/spend/read-spend.ts";
import { releaseSpend, reserveSpend, settleSpend } from "../../store/spend/reservations.ts";
import type { Store } from "../../store/store.ts";

/** Counts money over all runs that share a limit (SAFE-2): the database, or this process alone on the command line. */
export interface SpendKeeper {
  /** Sets money aside against all limits at once, or says which one does not allow it. */
  reserve(call: PricedCall): Promise<{ readonly ok: true } | { readonly ok: false; readonly refusal: BudgetRefusal }>;
  /** Exchanges what was set aside for what the call cost. */
  settle(id: string, usd: number, usage: Usage): Promise<void>;
  release(id: string): Promise<void>;
  /** Spent and set aside now, in USD, against each limit, in one query. */
  used(): Promise<(limit: BudgetLimit) => number>;
}

export interface PricedCall {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** Its highest cost, and its cost if it is sent at all. */
  readonly usd: number;
  readonly leastUsd: number;
  readonly limits: readonly BudgetLimit[];
}

/** The owner of the calls: a phase of a run, or a question that is kept as one. */
export function spenderFor(
  { subject, runId }: { readonly subject: Subject; readonly runId: string },
  phase: Phase,
): Spender {
  const { installationId, id: repositoryId } = subject.repository;
  return { installationId, repositoryId, subjectKey: subjectKey(subject), runId, phase };
}

/** The count that all runs and processes of a database share, for one phase of one run, whose job the fence is of. */
export function createStoredSpendKeeper(store: Store, spender: Spender, now: () => string, fence: Fence): SpendKeeper {
  return {
    reserve: ({ limits, ...call }) => reserveSpend(store, { ...call, limits, spender, at: now() }),
    settle: (id, usd, usage) => settleSpend(store, id, usd, usage, fence),
    release: (id) => releaseSpend(store, id),
    used: async () => {
      const used = await readUsedUsd(store, spender, now());
      return ({ scope }) => used[scope];
    },
  };
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
    used: async () => {
      const now = ledger;
      return (limit) => usedUsd(now, limit);
    },
  };
}
