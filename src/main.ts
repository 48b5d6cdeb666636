import { existsSync } from "node:fs";
import { enableCompileCache, flushCompileCache, getCompileCacheDir } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandName } from "./cli/commands.ts";
import type { Command } from "./cli/dispatch.ts";

// Variables that are set already win over the file.
if (existsSync(".env")) process.loadEnvFile(".env");

// bin/forge.mjs has done it before this file was read.
if (getCompileCacheDir() === undefined) await keepCompiledCode();
// Loaded after that, from the compiled form: compiling them is a third of what the help takes.
const { COMMANDS } = await import("./cli/commands.ts");
const { dispatch } = await import("./cli/dispatch.ts");

// Each command loads what it needs and no more: all of Forge takes a second to load.
const runs: Readonly<Record<CommandName, Command["run"]>> = {
  start: async (args) => {
    const { isToRestart, restartAfterHang } = await import("./app/watchdog/restart-after-hang.ts");
    // This process only waits for a child, which loads all of it.
    if (isToRestart(args)) return restartAfterHang(process.argv.slice(1));
    await loadDrizzleQuickly();
    const { runServer } = await import("./app/run-server.ts");
    // Node would write it at the end, and a server that is killed has none.
    flushCompileCache();
    return runServer(args);
  },
  doctor: async (args) => {
    const { runDoctor } = await import("./cli/doctor.ts");
    const { examine } = await import("./app/examine.ts");
    const { fetchBubblewrap } = await import("./workspace/sandbox/fetch-bubblewrap.ts");
    const fix = async () => {
      const outcome = await fetchBubblewrap();
      return outcome.state === "present" ? undefined : `sandbox: ${outcome.detail}`;
    };
    return runDoctor(args, { examine: () => examine(process.env), fix });
  },
  register: async (args) => (await import("./app/register-here.ts")).registerHere(args, process.env),
  review: async (args) => (await import("./app/review-here.ts")).reviewHere(args, process.env),
  test: async (args) => (await import("./app/test-here.ts")).testHere(args, process.env),
  ask: async (args) => (await import("./app/ask-here.ts")).askHere(args, process.env),
  init: async (args) => (await import("./app/init-here.ts")).initHere(args, process.env),
  run: async (args) => (await import("./app/run-here.ts")).runHere(args, process.env),
  status: async (args) => (await import("./app/read-database.ts")).showStatus(args, process.env),
  history: async (args) => (await import("./app/read-database.ts")).showHistory(args, process.env),
  metrics: async (args) => (await import("./app/read-database.ts")).showMetrics(args, process.env),
  memory: async (args) => (await import("./app/read-database.ts")).tendMemory(args, process.env),
  show: async (args) => (await import("./app/read-database.ts")).showRun(args, process.env),
  replay: async (args) => {
    const { isOfRecording } = await import("./cli/replay.ts");
    if (isOfRecording(args)) return (await import("./app/run-here.ts")).replayHere(args, process.env);
    return (await import("./app/read-database.ts")).replayRun(args, process.env);
  },
  checkpoints: async (args) => (await import("./app/read-database.ts")).showCheckpoints(args, process.env),
  backup: async (args) => (await import("./app/read-database.ts")).backUp(args, process.env),
};

/** They open no database, or load the hook themselves: to find modules by a hook takes longer, and a review finds 700. */
const WITHOUT_DRIZZLE: ReadonlySet<CommandName> = new Set(["start", "review"]);

const commands: readonly Command[] = COMMANDS.map((command) => ({
  ...command,
  run: async (args) => {
    if (!WITHOUT_DRIZZLE.has(command.name)) await loadDrizzleQuickly();
    return runs[command.name](args);
  },
}));
process.exitCode = await dispatch(commands, process.argv.slice(2));

async function loadDrizzleQuickly(): Promise<void> {
  await import("./store/resolve-drizzle.ts");
}

/**
 * Has Node keep the compiled form of what is loaded from here on, and use what an earlier start left: compiling is a third of a start. Only in
 * a folder that is ours alone.
 */
async function keepCompiledCode(): Promise<void> {
  const { compiledCodeFolder } = await import("./analysis/reader/compiled-code.ts");
  const folder = await compiledCodeFolder(tmpdir());
  if (folder !== undefined) enableCompileCache(join(folder, "server"));
}
