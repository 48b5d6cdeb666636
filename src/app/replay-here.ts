import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runReplayRecording } from "../cli/replay-recording.ts";
import type { Recording } from "../pipeline/local/recording.ts";
import { type ReplayedRun, replayRun } from "../pipeline/local/replay-run.ts";
import { removeFolder } from "../workspace/remove-folder.ts";
import { findCheckout, openLocal } from "./open-local.ts";

type Environment = Readonly<Record<string, string | undefined>>;

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
