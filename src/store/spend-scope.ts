import { type SQL, sql } from "drizzle-orm";
import type { BudgetScope } from "../safety/budget.ts";

/** Whose call it is. */
export interface Spender {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly subjectKey: string;
  readonly runId: string;
  readonly phase: string;
}

/** What is spent or reserved in a scope, in millionths of a USD, as an expression. `day` is a date in UTC. */
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
