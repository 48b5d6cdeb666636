import type { RunFinder } from "../cli/find-run.ts";
import { countJobs } from "../store/jobs/read-jobs.ts";
import { missingFile } from "../store/missing-file.ts";
import { closeStore, openStoreReadOnly } from "../store/open-store.ts";
import { findRuns, listRuns } from "../store/runs/read-runs.ts";
import type { RunProjection } from "../store/runs/upsert-runs.ts";
import { refusedQuery } from "../store/storage-error.ts";
import type { Store } from "../store/store.ts";
import { readDatabaseConfig } from "./config.ts";
import { openOrSay, unreadable } from "./open-database.ts";
import { runDatabases } from "./run-databases.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The runs of the server's database and of `forge run`, wherever they are kept. */
export interface Runs extends RunFinder {
  /** The newest first. */
  readonly list: (query: Parameters<typeof listRuns>[1]) => Promise<RunProjection[]>;
  /** The database of a run that was found. @throws Error for one that was not looked up */
  readonly storeOf: (runId: string) => Store;
  /** Jobs of the server. */
  readonly jobs: () => ReturnType<typeof countJobs>;
}

/**
 * Reads all databases that have runs, next to a running server. Where `forge run` was used, no server has to have been started here.
 * @throws ForgeError `not_started`, or `database_unreadable` with what to do
 */
export async function readingRuns<T>(environment: Environment, use: (runs: Runs) => Promise<T>): Promise<T> {
  const { url } = readDatabaseConfig(environment);
  const opening: Promise<Store>[] = [];
  const open = () => {
    if (opening.length > 0) return Promise.all(opening);
    const own = runDatabases(environment).filter((other) => other !== url);
    if (own.length === 0 || missingFile(url) === undefined) opening.push(openOrSay(openStoreReadOnly, environment));
    for (const other of own) opening.push(openOrSay(openStoreReadOnly, { ...environment, DATABASE_URL: other }));
    return Promise.all(opening);
  };
  const places = new Map<string, Store>();
  const gather = async (read: (store: Store) => Promise<readonly RunProjection[]>) => {
    const found: RunProjection[] = [];
    for (const store of await open()) {
      for (const run of await read(store)) {
        places.set(run.traceId, store);
        found.push(run);
      }
    }
    return found.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  };
  const list: Runs["list"] = async (query) => (await gather((store) => listRuns(store, query))).slice(0, query.limit);
  try {
    return await use({
      list,
      find: (prefix) => gather((store) => findRuns(store, prefix)),
      latest: () => list({ limit: 10 }),
      storeOf: (runId) => {
        const store = places.get(runId);
        if (store === undefined) throw new Error(`run ${runId} was not looked up`);
        return store;
      },
      jobs: async () => {
        const [first] = await open();
        return countJobs(first!);
      },
    });
  } catch (error) {
    const why = refusedQuery(error);
    throw why === undefined ? error : unreadable(url, why, error);
  } finally {
    for (const store of await Promise.allSettled(opening))
      if (store.status === "fulfilled") await closeStore(store.value);
  }
}
