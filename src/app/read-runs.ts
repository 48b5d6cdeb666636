import type { RunFinder } from "../cli/find-run.ts";
import type { ForgeError } from "../domain/errors.ts";
import { viewLocalOverview, viewLocalRun, viewLocalRuns, withLocalStatus } from "../pipeline/local/local-status.ts";
import { type Overview, togetherViewed, viewOverview } from "../pipeline/views/view-overview.ts";
import { type RunReport, viewRun } from "../pipeline/views/view-run.ts";
import { viewRuns } from "../pipeline/views/view-runs.ts";
import { countJobs, type JobCounts } from "../store/jobs/read-jobs.ts";
import { missingFile } from "../store/missing-file.ts";
import { closeStore, openStoreReadOnly } from "../store/open-store.ts";
import { findRunsBeginning, type ListedRun } from "../store/runs/overview.ts";
import type { RunSearch } from "../store/runs/search-runs.ts";
import type { Store } from "../store/store.ts";
import { readDatabaseConfig } from "./config.ts";
import { type DatabasePlace, isUnreadable, openDatabase, openOrSay, orUnreadable } from "./open-database.ts";
import { runDatabases } from "./run-databases.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The runs of the server's database and of `forge run`, wherever they are kept. */
export interface Runs extends RunFinder {
  /** Those that fit, the newest first. */
  readonly list: (search: RunSearch & { readonly limit: number }) => Promise<readonly ListedRun[]>;
  /** What the first page shows, of all of them together. */
  readonly overview: (now: Date) => Promise<Overview>;
  /** What the page of a run shows. @throws as `readIn` */
  readonly report: (run: ListedRun) => Promise<RunReport>;
  /** Reads the database of a run that was found. @throws ForgeError `database_unreadable`; Error for a run that was not looked up */
  readonly readIn: <T>(runId: string, read: (store: Store) => Promise<T>) => Promise<T>;
  /** Jobs of the server; without one, those of all checkouts. */
  readonly jobs: () => Promise<JobCounts>;
}

/** A database that is opened at its first use. */
interface Place extends DatabasePlace {
  readonly open: () => Promise<Store>;
}

/**
 * Reads all databases that have runs, next to a running server. Where `forge run` was used, no server has to have been started here. A
 * checkout's database that cannot be read is named, and the others are read.
 * @param warn told of each of those once, in a sentence
 * @throws ForgeError `not_started`; `database_unreadable` for the server's, and where no database can be read
 */
export async function readingRuns<T>(
  environment: Environment,
  use: (runs: Runs) => Promise<T>,
  warn: (text: string) => void = (text) => void process.stderr.write(`forge: ${text}\n`),
): Promise<T> {
  const opened = new Map<string, Promise<Store>>();
  const all = placesOf(environment, opened);
  const unread = new Map<string, ForgeError>();
  const places = new Map<string, Place>();
  const fromEach = async <Part>(read: (store: Store, place: Place) => Promise<Part>): Promise<Part[]> => {
    const parts: Part[] = [];
    for (const place of all) {
      if (unread.has(place.url)) continue;
      try {
        parts.push(await readFrom(place, (store) => read(store, place)));
      } catch (error) {
        if (!place.isLocal || !isUnreadable(error)) throw error;
        unread.set(place.url, error);
        if (unread.size === all.length) throw error;
        warn(`${error.message} Its runs are left out here.`);
      }
    }
    return parts;
  };
  const gather = async (read: (store: Store, place: Place) => Promise<readonly ListedRun[]>) => {
    const found = await fromEach(async (store, place) => {
      const runs = await read(store, place);
      for (const run of runs) places.set(run.runId, place);
      return runs;
    });
    return found.flat().sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  };
  const list: Runs["list"] = async (search) => {
    const runs = await gather(async (store, { isLocal }) =>
      isLocal ? viewLocalRuns(store, search) : (await viewRuns(store, search)).runs,
    );
    return runs.slice(0, search.limit);
  };
  const readIn: Runs["readIn"] = (runId, read) => {
    const place = places.get(runId);
    if (place === undefined) throw new Error(`run ${runId} was not looked up`);
    return readFrom(place, read);
  };
  try {
    return await use({
      list,
      find: (prefix) =>
        gather(async (store, { isLocal }) => {
          const runs = await findRunsBeginning(store, prefix);
          return isLocal ? withLocalStatus(store, runs) : runs;
        }),
      latest: () => list({ limit: 10 }),
      readIn,
      overview: async (now) => {
        const asked = { now, afterGates: 0 };
        return togetherViewed(
          await fromEach((store, { isLocal }) => (isLocal ? viewLocalOverview : viewOverview)(store, asked)),
        );
      },
      report: async (run) => {
        const view = places.get(run.runId)?.isLocal ? viewLocalRun : viewRun;
        const report = await readIn(run.runId, (store) => view(store, run.runId, () => true));
        if (report === undefined) throw new Error(`run ${run.runId} is gone`);
        return report;
      },
      jobs: async () => {
        const server = all.find(({ isLocal }) => !isLocal);
        return server ? readFrom(server, countJobs) : (await fromEach(countJobs)).reduce(together);
      },
    });
  } finally {
    for (const store of await Promise.allSettled(opened.values()))
      if (store.status === "fulfilled") await closeStore(store.value);
  }
}

async function readFrom<T>(place: Place, read: (store: Store) => Promise<T>): Promise<T> {
  const store = await place.open();
  return orUnreadable(place, () => read(store));
}

/** @param opened what was opened, by its address */
function placesOf(environment: Environment, opened: Map<string, Promise<Store>>): readonly Place[] {
  const { url } = readDatabaseConfig(environment);
  const lazily = (place: DatabasePlace, open: () => Promise<Store>): Place => ({
    ...place,
    open: () => {
      const store = opened.get(place.url) ?? open();
      opened.set(place.url, store);
      return store;
    },
  });
  const local = runDatabases(environment)
    .filter((other) => other !== url)
    .map((other): DatabasePlace => ({ url: other, isLocal: true }))
    .map((place) => lazily(place, () => openDatabase(openStoreReadOnly, place)));
  if (local.length > 0 && missingFile(url) !== undefined) return local;
  return [lazily({ url }, () => openOrSay(openStoreReadOnly, environment)), ...local];
}

function together(some: JobCounts, more: JobCounts): JobCounts {
  const states = Object.keys(some) as (keyof JobCounts)[];
  return Object.fromEntries(states.map((state) => [state, some[state] + more[state]])) as unknown as JobCounts;
}
