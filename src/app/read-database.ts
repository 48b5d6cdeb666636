import { existsSync } from "node:fs";
import { runCheckpoints } from "../cli/checkpoints.ts";
import { EXIT, UsageError } from "../cli/dispatch.ts";
import { runHistory } from "../cli/history.ts";
import { runMemory } from "../cli/memory.ts";
import { runMetrics } from "../cli/metrics.ts";
import { runReplay } from "../cli/replay.ts";
import { runShow } from "../cli/show.ts";
import { runStatus } from "../cli/status.ts";
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
import { listPutAway } from "../store/memories/consolidation.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { findMemoriesById } from "../store/memories/read-memories.ts";
import { closeStore, openStoreBeside, openStoreReadOnly } from "../store/open-store.ts";
import { findRepository } from "../store/runs/read-runs.ts";
import type { Store } from "../store/store.ts";
import { readDatabaseConfig } from "./config.ts";
import { openOrSay, orUnreadable } from "./open-database.ts";
import { readingRuns } from "./read-runs.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Args = readonly string[];

/** Memories whose ids begin as was written. */
const MOST_NAMED = 5;

/** `forge show`. */
export function showRun(args: Args, environment: Environment): Promise<number> {
  return readingRuns(environment, (runs) =>
    runShow(args, { ...runs, events: (id) => runs.readIn(id, (store) => readEvents(store, id)) }, process.stdout),
  );
}

/** `forge status`. */
export function showStatus(args: Args, environment: Environment): Promise<number> {
  return readingRuns(environment, (runs) => runStatus(args, runs, process.stdout));
}

/** `forge history`. */
export function showHistory(args: Args, environment: Environment): Promise<number> {
  return readingRuns(environment, ({ list }) => runHistory(args, list, process.stdout));
}

/** `forge replay`. */
export function replayRun(args: Args, environment: Environment): Promise<number> {
  return readingRuns(environment, (runs) =>
    runReplay(args, { ...runs, compare: (id) => runs.readIn(id, (store) => compareReplay(store, id)) }, process.stdout),
  );
}

/** `forge checkpoints`. */
export function showCheckpoints(args: Args, environment: Environment): Promise<number> {
  return readingRuns(environment, (runs) => {
    const dependencies = {
      list: (id: string) => runs.readIn(id, (store) => listCheckpoints(store, id)),
      validate: (id: string) => runs.readIn(id, (store) => validateCheckpoints(store, id)),
    };
    return runCheckpoints(args, { find: runs.find, latest: runs.latest, ...dependencies }, process.stdout);
  });
}

/** `forge metrics`. */
export function showMetrics(args: Args, environment: Environment): Promise<number> {
  return reading(environment, (store) =>
    runMetrics(
      args,
      {
        repositoryId: async (owner, name) => (await findRepository(await store(), owner, name))?.repositoryId,
        measure: async (id) => measure(await store(), new Date().toISOString(), id),
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
    const memory = async () => {
      const opened = await store();
      return openMemory({ store: opened, redact: opened.redact, estimateTokens: estimateTextTokens, now });
    };
    const list = async (
      scope: MemoryScope,
      { query, putAway, limit }: { query: string | undefined; putAway: boolean; limit: number },
    ) => {
      if (putAway) return listPutAway(await store(), scopesOf(scope), { query, limit });
      const { items, more } = await (await memory()).knownHere({ scope, query, limit });
      return { items: items.map((known) => known.memory), more };
    };
    const dependencies = {
      ...{ now, list },
      scopeOf: async (owner: string, name: string) => findRepository(await store(), owner, name),
      find: async (prefix: string) => findMemoriesById(await store(), undefined, prefix, MOST_NAMED),
      restore: async (of: StoredMemory) => restore({ store: await store(), now, makeId }, of),
      consolidate: async (scope: MemoryScope) =>
        (await memory()).consolidate(scope, makeId, new AbortController().signal),
    };
    return runMemory(args, dependencies, process.stdout);
  });
}

/** `forge backup`. */
export async function backUp(args: Args, environment: Environment): Promise<number> {
  const [path, ...rest] = args;
  if (path === undefined || rest.length > 0) throw new UsageError("backup takes one argument, the file to write");
  if (existsSync(path)) throw new UsageError(`${path} is there already; a backup never overwrites`);
  await reading(environment, async (store) => backup(await store(), path));
  process.stdout.write(`copied to ${path}\n`);
  return EXIT.ok;
}

/** Opens the database at its first use, so wrong arguments are refused before. */
type OpenOnce = () => Promise<Store>;

/**
 * Reads next to a running server: nothing is owned, migrated or written.
 * @throws ForgeError `not_started`, or `database_unreadable` with what to do
 */
function reading<T>(environment: Environment, use: (store: OpenOnce) => Promise<T>): Promise<T> {
  return using(openStoreReadOnly, environment, use);
}

async function using<T>(
  open: typeof openStoreReadOnly,
  environment: Environment,
  use: (store: OpenOnce) => Promise<T>,
): Promise<T> {
  let opened: Promise<Store> | undefined;
  try {
    const once = () => (opened ??= openOrSay(open, environment));
    return await orUnreadable(readDatabaseConfig(environment), () => use(once));
  } finally {
    const store = await opened?.catch(() => undefined);
    if (store) await closeStore(store);
  }
}
