import { rm } from "node:fs/promises";
import { runProgram } from "../run-program.ts";

const REMOVE_TIME_MS = 60_000;

/** Removes a folder of ours, also where a program took rights away inside, or nested folders deeper than a path can say. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!["EACCES", "EPERM", "ENAMETOOLONG"].includes(code)) throw error;
    // These walk from folder to folder. Of links that they meet they change neither themselves nor what they lead to.
    await run("chmod", ["-R", "u+rwX", "--", folder]);
    await run("rm", ["-rf", "--", folder]);
  }
}

async function run(command: string, args: readonly string[]): Promise<void> {
  await runProgram({ command, args, timeoutMs: REMOVE_TIME_MS, maxOutputBytes: 0 });
}
