import { existsSync } from "node:fs";
import { runBackup } from "./cli/backup.ts";
import { type Command, dispatch } from "./cli/dispatch.ts";
import { runDoctor } from "./cli/doctor.ts";
import { runStart } from "./cli/start.ts";
import { type Config, readConfig, readDatabaseConfig } from "./config.ts";
import { examine } from "./examine.ts";
import { startForge } from "./forge.ts";
import { createLog } from "./log.ts";
import { backup } from "./store/backup.ts";
import { closeStore, openStoreReadOnly } from "./store/open-store.ts";

// Variables that are set already win over the file.
if (existsSync(".env")) process.loadEnvFile(".env");

const configured = (): { config: Config; log: ReturnType<typeof createLog> } => {
  const config = readConfig(process.env);
  return { config, log: createLog(config) };
};

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
    name: "backup",
    usage: "backup <file>",
    does: "copy the database to a new file, also while Forge runs",
    run: (args) =>
      runBackup(args, async (path) => {
        const { url, authToken } = readDatabaseConfig(process.env);
        const store = await openStoreReadOnly(url, authToken);
        await backup(store, path).finally(() => closeStore(store));
      }),
  },
];

process.exitCode = await dispatch(commands, process.argv.slice(2));
