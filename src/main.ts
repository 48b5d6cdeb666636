import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseAdvisories } from "./analysis/dependencies/choose-advisories.ts";
import { runBackup } from "./cli/backup.ts";
import { type Command, dispatch } from "./cli/dispatch.ts";
import { runDoctor } from "./cli/doctor.ts";
import type { RunFinder } from "./cli/find-run.ts";
import { runReplay } from "./cli/replay.ts";
import { type ReviewFolder, runReview } from "./cli/review.ts";
import { runShow } from "./cli/show.ts";
import { runStart } from "./cli/start.ts";
import { type Config, readAdvisoriesConfig, readConfig, readDatabaseConfig } from "./config.ts";
import { examine } from "./examine.ts";
import { startForge } from "./forge.ts";
import { createLog } from "./log.ts";
import { openAi } from "./open-ai.ts";
import { compareReplay } from "./pipeline/compare-replay.ts";
import { reviewFolder } from "./pipeline/review-folder.ts";
import { backup } from "./store/backup.ts";
import { closeStore, openStoreReadOnly } from "./store/open-store.ts";
import { readEvents } from "./store/read-events.ts";
import { findRuns, listRuns } from "./store/read-runs.ts";
import type { Store } from "./store/store.ts";

// Variables that are set already win over the file.
if (existsSync(".env")) process.loadEnvFile(".env");

const VERSION: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

const configured = (): { config: Config; log: ReturnType<typeof createLog> } => {
  const config = readConfig(process.env);
  return { config, log: createLog(config) };
};

/** Beside a running server: nothing is owned, migrated or written. */
async function reading<T>(use: (store: Store) => Promise<T>): Promise<T> {
  const { url, authToken } = readDatabaseConfig(process.env);
  const store = await openStoreReadOnly(url, authToken);
  return use(store).finally(() => closeStore(store));
}

const finder = (store: Store): RunFinder => ({
  find: (prefix) => findRuns(store, prefix),
  latest: () => listRuns(store, { limit: 10 }),
});

const commands: readonly Command[] = [
  {
    name: "start",
    usage: "start [--role both|web|worker]",
    does: "take webhooks and do the work",
    run: (args) => runStart(args, (role) => startForge({ ...configured(), role })),
  },
  {
    name: "doctor",
    usage: "doctor",
    does: "look at configuration, App, database, git and disk, and say what is wrong",
    run: (args) => runDoctor(args, () => examine(process.env)),
  },
  {
    name: "review",
    usage: "review <folder> [--base <ref>] [--all] [--format text|json|sarif] [--ai [--report <file>]]",
    does: "review a folder of this machine as a pull request would be",
    run: async (args) => {
      const scratchRoot = await mkdtemp(join(tmpdir(), "forge-review-"));
      const { out, err } = { out: process.stdout, err: process.stderr };
      const output = { out, err, noColor: process.env.NO_COLOR !== undefined, version: VERSION };
      const signal = new AbortController().signal;
      const advisories = chooseAdvisories(readAdvisoriesConfig(process.env));
      const powers = { scratchRoot, signal, ...(advisories ? { advisories } : {}) };
      const review: ReviewFolder = async ({ ai: onEvent, ...request }) => {
        const ai = onEvent ? { ai: { powers: await openAi(process.env), onEvent } } : {};
        return reviewFolder({ ...request, ...powers, ...ai });
      };
      return runReview(args, review, output).finally(() => rm(scratchRoot, { recursive: true, force: true }));
    },
  },
  {
    name: "show",
    usage: "show <run> [--json] [--reasoning]",
    does: "tell what happened in a run; any beginning of its id will do",
    run: (args) =>
      reading((store) => runShow(args, { ...finder(store), events: (id) => readEvents(store, id) }, process.stdout)),
  },
  {
    name: "replay",
    usage: "replay <run>",
    does: "make a run anew from its events and compare it with the tables",
    run: (args) =>
      reading((store) =>
        runReplay(args, { ...finder(store), compare: (id) => compareReplay(store, id) }, process.stdout),
      ),
  },
  {
    name: "backup",
    usage: "backup <file>",
    does: "copy the database to a new file, also while Forge runs",
    run: (args) => runBackup(args, (path) => reading((store) => backup(store, path))),
  },
];

process.exitCode = await dispatch(commands, process.argv.slice(2));
