import { eq, type SQL, sql } from "drizzle-orm";
import { BUDGET_SCOPES, type BudgetScope } from "../../safety/budget.ts";
import { spend } from "../schema.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** Money spent or reserved in each scope of a spender, in USD; `at` says which day it is. */
export async function readUsedUsd(
  store: Store,
  spender: Spender,
  at: string,
): Promise<Readonly<Record<BudgetScope, number>>> {
  const sums = Object.fromEntries(BUDGET_SCOPES.map((scope) => [scope, usedIn(scope, spender, dayOf(at))])) as Record<
    BudgetScope,
    ReturnType<typeof usedIn>
  >;
  const [row] = await reading(store.read.select(sums).from(sql`(select 1)`));
  return Object.fromEntries(BUDGET_SCOPES.map((scope) => [scope, (row?.[scope] ?? 0) / 1e6])) as Record<
    BudgetScope,
    number
  >;
}

/** Calls of models that a run has made or has in flight. */
export async function countCalls(store: Store, runId: string): Promise<number> {
  const [row] = await reading(
    store.read.select({ calls: sql<number>`count(*)` }).from(spend).where(eq(spend.runId, runId)),
  );
  return row?.calls ?? 0;
}

/** The cost of a model in one phase of one run (`/forge cost`). */
export interface SpentRow {
  readonly runId: string;
  readonly phase: string;
  readonly model: string;
  readonly calls: number;
  readonly usd: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

/** The cost of a pull request or issue over all its runs, oldest first. Calls in flight count with what is set aside for them. */
export function listSpend(store: Store, subjectKey: string): Promise<SpentRow[]> {
  return listSpent(store, eq(spend.subjectKey, subjectKey));
}

/** What one run cost, oldest first, as `listSpend` says it. */
export function listSpendOfRun(store: Store, runId: string): Promise<SpentRow[]> {
  return listSpent(store, eq(spend.runId, runId));
}

async function listSpent(store: Store, which: SQL): Promise<SpentRow[]> {
  const rows = await reading(
    store.read
      .select({
        runId: spend.runId,
        phase: spend.phase,
        model: spend.model,
        calls: sql<number>`count(*)`,
        micros: sql<number>`sum(${spend.micros})`,
        inputTokens: sql<number>`sum(${spend.inputTokens})`,
        cacheReadTokens: sql<number>`sum(${spend.cacheReadTokens})`,
        cacheWriteTokens: sql<number>`sum(${spend.cacheWriteTokens})`,
        outputTokens: sql<number>`sum(${spend.outputTokens})`,
      })
      .from(spend)
      .where(which)
      .groupBy(spend.runId, spend.phase, spend.model)
      .orderBy(sql`min(${spend.at})`, sql`min(${spend.id})`),
  );
  return rows.map(({ micros, ...row }) => ({ ...row, usd: micros / 1e6 }));
}

/** The owner of a call. */
export interface Spender {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly subjectKey: string;
  readonly runId: string;
  readonly phase: string;
}

/** Money spent or reserved in a scope, in millionths of a USD, as an expression. `day` is a date in UTC. */
export function usedIn(scope: BudgetScope, spender: Spender, day: string): SQL<number> {
  return sql<number>`(select coalesce(sum(micros), 0) from spend where ${WHERE[scope](spender, day)})`;
}

const WHERE: Readonly<Record<BudgetScope, (spender: Spender, day: string) => SQL>> = {
  phase: ({ runId, phase }) => sql`run_id = ${runId} and phase = ${phase}`,
  run: ({ runId }) => sql`run_id = ${runId}`,
  subject: ({ subjectKey }) => sql`subject_key = ${subjectKey}`,
  repository: ({ repositoryId }, day) => sql`repository_id = ${repositoryId} and day = ${day}`,
  installation: ({ installationId }, day) => sql`installation_id = ${installationId} and day = ${day}`,
  day: (_spender, day) => sql`day = ${day}`,
};

/** The date in UTC of a moment. */
export function dayOf(at: string): string {
  return at.slice(0, 10);
}
