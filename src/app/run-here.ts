import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runReplayRecording } from "../cli/replay.ts";
import type { Terminal } from "../cli/run/people-at.ts";
import { type OpenRunSession, runRun } from "../cli/run/run.ts";
import { repositoryOf } from "../pipeline/local/local-run.ts";
import type { Recording } from "../pipeline/local/recording.ts";
import { type ReplayedRun, replayRun } from "../pipeline/local/replay-run.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import { openSandbox } from "../workspace/sandbox/open-sandbox.ts";
import { readModelsConfig } from "./config.ts";
import { noModel } from "./open-ai.ts";
import { findCheckout, openLocal } from "./open-local.ts";
import { dataFolder } from "./run-databases.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `forge run`: in this process, with the models of the environment. */
export function runHere(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal = OF_THE_PROCESS,
): Promise<number> {
  const open: OpenRunSession = async ({ repo, data }) => {
    const { anthropic, openai } = readModelsConfig(environment);
    if (!anthropic && !openai) throw noModel("No model is set up.");
    const checkout = await findCheckout(repo);
    const folder = join(dataFolder(data, environment), "checkouts", String(repositoryOf(checkout).id));
    const workplace = await openLocal(checkout, folder, environment);
    const sandbox = await openSandbox();
    return {
      dependencies: workplace.dependencies,
      noSandbox: "unavailable" in sandbox ? sandbox.unavailable : undefined,
      close: async () => workplace[Symbol.asyncDispose](),
    };
  };
  return runRun(args, open, terminal);
}

const OF_THE_PROCESS: Terminal = {
  out: process.stdout,
  err: process.stderr,
  // Opened when somebody is asked, not before.
  get in() {
    return process.stdin;
  },
  onInterrupt: (heard) => {
    process.on("SIGINT", heard);
    return () => process.off("SIGINT", heard);
  },
};

/** `forge replay --recording <file>`: beside a checkout of this machine, which is left as it is. */
export function replayHere(args: readonly string[], environment: Environment): Promise<number> {
  return runReplayRecording(args, (recording, repo) => replayOn(repo, recording, environment), process.stdout);
}

/** Has a recorded run again on a checkout, with a store that is thrown away. @throws ForgeError as `replayRun` */
export async function replayOn(repo: string, recording: Recording, environment: Environment): Promise<ReplayedRun> {
  const folder = await mkdtemp(join(tmpdir(), "forge-replay-"));
  try {
    await using workplace = await openLocal(await findCheckout(repo), folder, environment);
    return await replayRun(workplace.dependencies, recording);
  } finally {
    await removeFolder(folder);
  }
}
