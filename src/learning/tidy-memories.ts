import type { MakeId } from "../domain/ids.ts";
import type { MemoryScope } from "../domain/memories.ts";
import type { Consolidated } from "../memory/consolidate.ts";
import type { Memory } from "../memory/open-memory.ts";
import { awaitsWork } from "../store/jobs/read-jobs.ts";
import { listDueScopes } from "../store/memories/consolidation.ts";
import type { Store } from "../store/store.ts";

export interface TidyDependencies {
  readonly store: Store;
  readonly memory: Pick<Memory, "consolidate">;
  /** ISO 8601, UTC, milliseconds. */
  readonly now: () => string;
  readonly makeId: MakeId;
}

const DAY_MS = 86_400_000;
/** Scopes of one turn: a hundred repositories of one organisation have had theirs after an hour. */
const MOST_SCOPES = 20;
/** Scopes that are due and looked at; those with work are passed over. */
const MOST_DUE = 1_000;

/**
 * Tidies the memories that were not tidied for a day (MEM-4), one repository at a time, the longest waiting first. A repository with work at hand
 * has its turn later.
 * @throws what the first that failed threw, after all had their turn
 * @returns what came of it, for the log; undefined when there was nothing to do
 */
export async function tidyMemories({ store, memory, now, makeId }: TidyDependencies, signal: AbortSignal) {
  const at = now();
  const before = new Date(Date.parse(at) - DAY_MS).toISOString();
  const done: Consolidated[] = [];
  const failures: unknown[] = [];
  for (const scope of await listDueScopes(store, { before, now: at, limit: MOST_DUE })) {
    if (signal.aborted || done.length + failures.length === MOST_SCOPES) break;
    if (await isBusy(store, scope, now())) continue;
    // The others have their turn all the same.
    await memory.consolidate(scope, makeId, signal).then(
      (one) => done.push(one),
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0 && !signal.aborted) throw failures[0];
  const sum = (of: (one: Consolidated) => number) => done.reduce((total, one) => total + of(one), 0);
  return done.length === 0
    ? undefined
    : {
        scopes: done.length,
        linked: sum(({ linked }) => linked),
        pruned: sum(({ pruned }) => pruned),
        archived: sum(({ archived }) => archived),
        promoted: sum(({ promoted }) => promoted),
      };
}

async function isBusy(store: Store, { repositoryId }: MemoryScope, now: string): Promise<boolean> {
  return repositoryId !== undefined && (await awaitsWork(store, repositoryId, now));
}
