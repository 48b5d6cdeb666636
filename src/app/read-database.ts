import { runBackup } from "../cli/backup.ts";
import { runCheckpoints } from "../cli/checkpoints.ts";
import type { RunFinder } from "../cli/find-run.ts";
import { runReplay } from "../cli/replay.ts";
import { runShow } from "../cli/show.ts";
import { listCheckpoints } from "../pipeline/runs/checkpoints/list-checkpoints.ts";
import { validateCheckpoints } from "../pipeline/runs/checkpoints/validate-checkpoints.ts";
import { compareReplay } from "../pipeline/runs/compare-replay.ts";
import { backup } from "../store/backup.ts";
import { readEvents } from "../store/events/read-events.ts";
import { closeStore, openStoreReadOnly } from "../store/open-store.ts";
import { findRuns, listRuns } from "../store/runs/read-runs.ts";
import type { Store } from "../store/store.ts";
import { readDatabaseConfig } from "./config.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Args = readonly string[];

/** `forge show`. */
export function showRun(args: Args, environment: Environment): Promise<number> {
  return reading(environment, (store) =>
    runShow(args, { ...finder(store), events: (id) => readEvents(store, id) }, process.stdout),
  );
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

/** `forge backup`. */
export function backUp(args: Args, environment: Environment): Promise<number> {
  return runBackup(args, (path) => reading(environment, (store) => backup(store, path)));
}

/** Beside a running server: nothing is owned, migrated or written. */
async function reading<T>(environment: Environment, use: (store: Store) => Promise<T>): Promise<T> {
  const { url, authToken } = readDatabaseConfig(environment);
  const store = await openStoreReadOnly(url, authToken);
  return use(store).finally(() => closeStore(store));
}

function finder(store: Store): RunFinder {
  return { find: (prefix) => findRuns(store, prefix), latest: () => listRuns(store, { limit: 10 }) };
}
