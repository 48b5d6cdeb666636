import { existsSync } from "node:fs";
import { runCheckpoints } from "../cli/checkpoints.ts";
import { EXIT, UsageError } from "../cli/dispatch.ts";
import type { RunFinder } from "../cli/find-run.ts";
import { runMemory } from "../cli/memory.ts";
import { runMetrics } from "../cli/metrics.ts";
import { runReplay } from "../cli/replay.ts";
import { runShow } from "../cli/show.ts";
import { runHistory, runStatus } from "../cli/status.ts";
import { ForgeError } from "../domain/errors.ts";
import { createIdMaker } from "../domain/ids.ts";
import type { MemoryScope } from "../domain/memories.ts";
import { measure } from "../learning/metrics.ts";
import { estimateTextTokens } from "../llm/estimate-tokens.ts";
import { restore } from "../memory/consolidate.ts";
import { scopesOf } from "../memory/find-candidates.ts";
import { openMemory } from "../memory/open-memory.ts";
import { listCheckpoints } from "../pipeline/checkpoints/list-checkpoints.ts";
import { validateCheckpoints } from "../pipeline/checkpoints/validate-checkpoints.ts";
import { compareReplay } from "../pipeline/compare-replay.ts";
import { backup } from "../store/backup.ts";
import { readEvents } from "../store/events/read-events.ts";
import { countJobs } from "../store/jobs/read-jobs.ts";
import { listPutAway } from "../store/memories/consolidation.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { findMemoriesById } from "../store/memories/read-memories.ts";
import { closeStore, openStoreBeside, openStoreReadOnly } from "../store/open-store.ts";
import { findRepository, findRuns, listRuns } from "../store/runs/read-runs.ts";
import type { Store } from "../store/store.ts";
import { readDatabaseConfig } from "./config.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Args = readonly string[];

/** Runs of one standing that are named. */
const MOST_AT_WORK = 50;
/** Memories whose ids begin as was written. */
const MOST_NAMED = 5;

/** `forge show`. */
export function showRun(args: Args, environment: Environment): Promise<number> {
  return reading(environment, (store) =>
    runShow(args, { ...finder(store), events: (id) => readEvents(store, id) }, process.stdout),
  );
}

/** `forge status`. */
export function showStatus(args: Args, environment: Environment): Promise<number> {
  return reading(environment, (store) =>
    runStatus(
      args,
      { jobs: () => countJobs(store), runs: (status) => listRuns(store, { status, limit: MOST_AT_WORK }) },
      process.stdout,
    ),
  );
}

/** `forge history`. */
export function showHistory(args: Args, environment: Environment): Promise<number> {
  return reading(environment, (store) => runHistory(args, (limit) => listRuns(store, { limit }), process.stdout));
}

/** `forge replay`. */
export function replayRun(args: Args, environment: Environment): Promise<number> {
  return reading(environment, (store) =>
    runReplay(args, { ...finder(store), compare: (id) => compareReplay(store, id) }, process.stdout),
  );
}

/** `forge checkpoints`. */
export function showCheckpoints(args: Args, environment: Environment): Promise<number> {
  return reading(environment, (store) => {
    const dependencies = {
      list: (id: string) => listCheckpoints(store, id),
      validate: (id: string) => validateCheckpoints(store, id),
    };
    return runCheckpoints(args, { ...finder(store), ...dependencies }, process.stdout);
  });
}

/** `forge metrics`. */
export function showMetrics(args: Args, environment: Environment): Promise<number> {
  return reading(environment, (store) =>
    runMetrics(
      args,
      {
        repositoryId: async (owner, name) => (await findRepository(store, owner, name))?.repositoryId,
        measure: (id) => measure(store, new Date().toISOString(), id),
      },
      process.stdout,
    ),
  );
}

/** `forge memory`: what is asked for is read, and what is to change is written, beside a running server too. */
export function tendMemory(
  args: Args,
  environment: Environment,
  now: () => string = () => new Date().toISOString(),
): Promise<number> {
  const writes = args.some((arg) => arg === "restore" || arg === "consolidate");
  return using(writes ? openStoreBeside : openStoreReadOnly, environment, (store) => {
    const makeId = createIdMaker();
    const memory = openMemory({ store, redact: store.redact, estimateTokens: estimateTextTokens, now });
    const list = async (
      scope: MemoryScope,
      { query, putAway, limit }: { query: string | undefined; putAway: boolean; limit: number },
    ) => {
      if (putAway) return listPutAway(store, scopesOf(scope), { query, limit });
      const { items, more } = await memory.knownHere({ scope, query, limit });
      return { items: items.map((known) => known.memory), more };
    };
    const dependencies = {
      ...{ now, list },
      scopeOf: (owner: string, name: string) => findRepository(store, owner, name),
      find: (prefix: string) => findMemoriesById(store, undefined, prefix, MOST_NAMED),
      restore: (of: StoredMemory) => restore({ store, now, makeId }, of),
      consolidate: (scope: MemoryScope) => memory.consolidate(scope, makeId, new AbortController().signal),
    };
    return runMemory(args, dependencies, process.stdout);
  });
}

/** `forge backup`. */
export async function backUp(args: Args, environment: Environment): Promise<number> {
  const [path, ...rest] = args;
  if (path === undefined || rest.length > 0) throw new UsageError("backup takes one argument, the file to write");
  if (existsSync(path)) throw new UsageError(`${path} is there already; a backup never overwrites`);
  await reading(environment, (store) => backup(store, path));
  process.stdout.write(`copied to ${path}\n`);
  return EXIT.ok;
}

/**
 * Beside a running server: nothing is owned, migrated or written.
 * @throws ForgeError `database_unreadable` with what to do, where it cannot be opened
 */
function reading<T>(environment: Environment, use: (store: Store) => Promise<T>): Promise<T> {
  return using(openStoreReadOnly, environment, use);
}

async function using<T>(
  open: typeof openStoreReadOnly,
  environment: Environment,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const { url, authToken } = readDatabaseConfig(environment);
  const store = await open(url, authToken).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const what = `${why} Is DATABASE_URL right (${url})? It is read from here; a new database is made at the first \`forge start\`.`;
    const options = { source: "resource", recoverability: "manual", cause } as const;
    throw new ForgeError("database_unreadable", `The database cannot be read: ${what}`, options);
  });
  return use(store).finally(() => closeStore(store));
}

function finder(store: Store): RunFinder {
  return { find: (prefix) => findRuns(store, prefix), latest: () => listRuns(store, { limit: 10 }) };
}
