import { existsSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiledCodeFolder } from "./analysis/reader/compiled-code.ts";
import { type Command, dispatch, RUN_USAGE } from "./cli/dispatch.ts";

// Variables that are set already win over the file.
if (existsSync(".env")) process.loadEnvFile(".env");

await keepCompiledCode();

// Each command loads what it needs and no more: all of Forge takes a second to load.
const commands: readonly Command[] = [
  {
    name: "start",
    more: [
      "",
      "  --role <name>  one part alone, on a libSQL server; both without it",
      "  --print-app    where an App is registered first: print its secrets instead of keeping them in the data folder",
      "  --restart-after-hang  start Forge once more when it hangs, as npm start does; for machines without a supervisor",
      "",
      "Where no App is set up, it prints a link to a page that registers one, and goes on with that.",
      "Exit code 70: Forge hung and ended itself. The last line of the log says what was running.",
    ],
    usage: "start [--role both|web|worker] [--print-app] [--restart-after-hang]",
    does: "take webhooks and do the work",
    run: async (args) => {
      const { isToRestart, restartAfterHang } = await import("./app/watchdog/restart-after-hang.ts");
      // This process only waits for a child, which loads all of it.
      if (isToRestart(args)) return restartAfterHang(process.argv.slice(1));
      await loadDrizzleQuickly();
      const { runServer } = await import("./app/run-server.ts");
      // Node would write it at the end, and a server that is killed has none.
      flushCompileCache();
      return runServer(args);
    },
  },
  {
    name: "doctor",
    usage: "doctor [--fix]",
    does: "look at configuration, models, App, database, git, sandbox and disk, and say what is wrong; --fix fetches a missing sandbox",
    run: async (args) => {
      const { runDoctor } = await import("./cli/doctor.ts");
      const { examine } = await import("./app/examine.ts");
      const { fetchBubblewrap } = await import("./workspace/sandbox/fetch-bubblewrap.ts");
      const fix = async () => {
        const outcome = await fetchBubblewrap();
        return outcome.state === "present" ? undefined : `sandbox: ${outcome.detail}`;
      };
      return runDoctor(args, { examine: () => examine(process.env), fix });
    },
  },
  {
    name: "review",
    more: [
      "",
      "  --base <ref>     compare with this commit; without it, with the branch that the checkout came from",
      "  --all            every file instead of what changed",
      "  --format <name>  text, json or sarif; what is not a finding goes to standard error",
      "  --max <n>        at most so many findings (1000); how many more there are is said",
      "  --ai             models of the environment read the change too; --report <file> keeps each step",
      "",
      "A pull request is read with GITHUB_TOKEN or GH_TOKEN. Exit codes: 0 approve, 1 changes requested, 2 a person is required, 3 could not review.",
    ],
    usage:
      "review <folder | owner/repo#n> [--base <ref>] [--all] [--format text|json|sarif] [--max <n>] [--ai [--report <file>]]",
    does: "review a folder of this machine, or a pull request on GitHub with your own token, and write nothing there",
    run: async (args) => (await import("./app/review-here.ts")).reviewHere(args, process.env),
  },
  {
    name: "test",
    more: [
      "",
      "  --base <ref>     compare with this commit; without it, with the branch that the checkout came from",
      "  --all            every test, and nothing is compared with what stood before",
      "  --format <name>  text or json",
      "  --minutes <n>    for all that runs; without it safety.time.testing of the folder's configuration",
      "",
      "The tests that the change affects are run in the sandbox, on a copy; what fails is repeated and compared with the base.",
      "Exit codes: 0 passed or nothing to run, 1 failed, 3 could not be run.",
    ],
    usage: "test <folder> [--base <ref>] [--all] [--format text|json] [--minutes <n>]",
    does: "run the tests of a folder of this machine as those of a pull request are run, with coverage of what changed",
    run: async (args) => (await import("./app/test-here.ts")).testHere(args, process.env),
  },
  {
    name: "run",
    more: "itself",
    usage: RUN_USAGE,
    does: "plan, write, review and test a task on a git checkout, and leave a branch",
    run: async (args) => (await import("./app/run-here.ts")).runHere(args, process.env),
  },
  {
    name: "status",
    usage: "status [--json]",
    does: "say what is at work now, and what waits for a person",
    run: async (args) => (await import("./app/read-database.ts")).showStatus(args, process.env),
  },
  {
    name: "history",
    usage: "history [--limit <n>] [--json]",
    does: "list the latest runs, newest first",
    run: async (args) => (await import("./app/read-database.ts")).showHistory(args, process.env),
  },
  {
    name: "metrics",
    usage: "metrics [--repository <owner/name>] [--json]",
    does: "count what became of findings and runs in the last 30 days, against the 30 before",
    run: async (args) => (await import("./app/read-database.ts")).showMetrics(args, process.env),
  },
  {
    name: "memory",
    more: [
      "",
      "  list <owner/name> [words]  what is known there: believed most, or about the words; --put-away what was archived and why",
      "  show <memory>              one of them; any beginning of its id will do",
      "  restore <memory> ...       have what was archived used again",
      "  consolidate <owner/name>   tidy now what is tidied once a day",
      "",
      "It works beside a running Forge. What is known is deleted by /forge forget only.",
    ],
    usage: "memory list|show|restore|consolidate <owner/name | memory> [words] [--put-away] [--limit <n>] [--json]",
    does: "say what is known of a repository, bring back what was put away, tidy",
    run: async (args) => (await import("./app/read-database.ts")).tendMemory(args, process.env),
  },
  {
    name: "show",
    usage: "show <run> [--json] [--reasoning]",
    does: "tell what happened in a run; any beginning of its id will do",
    run: async (args) => (await import("./app/read-database.ts")).showRun(args, process.env),
  },
  {
    name: "replay",
    usage: "replay <run> | replay --recording <file> [--repo <folder>]",
    does: "build a run again, from its events or from the replies of its models, and compare",
    run: async (args) => {
      const { isOfRecording } = await import("./cli/replay.ts");
      if (isOfRecording(args)) return (await import("./app/run-here.ts")).replayHere(args, process.env);
      return (await import("./app/read-database.ts")).replayRun(args, process.env);
    },
  },
  {
    name: "checkpoints",
    usage: "checkpoints <run> [--compare <checkpoint> <checkpoint>] [--validate]",
    does: "list the points of a run that it could go on from, compare two, or see whether all can be read",
    run: async (args) => (await import("./app/read-database.ts")).showCheckpoints(args, process.env),
  },
  {
    name: "backup",
    usage: "backup <file>",
    does: "copy the database to a new file, also while Forge runs",
    run: async (args) => (await import("./app/read-database.ts")).backUp(args, process.env),
  },
];

const args = process.argv.slice(2);
if (args[0] !== "start") await loadDrizzleQuickly();
process.exitCode = await dispatch(commands, args);

async function loadDrizzleQuickly(): Promise<void> {
  await import("./store/resolve-drizzle.ts");
}

/**
 * Has Node keep the compiled form of what is loaded from here on, and use what an earlier start left: compiling is a third of a start. Only in
 * a folder that is ours alone.
 */
async function keepCompiledCode(): Promise<void> {
  const folder = await compiledCodeFolder(tmpdir());
  if (folder !== undefined) enableCompileCache(join(folder, "server"));
}
