import type { Stats } from "node:fs";
import { chmod, lstat } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../remove-folder.ts";
import { runProgram } from "../run-program.ts";
import { NOBODY, sandboxFailed } from "./sandbox.ts";

/**
 * Git's own place in the writable folder stays empty from run to run, so that no hook and no configuration is planted for later. It is not
 * covered while a program runs: a mount inside of what hostile programs write to goes where their links lead (GHSA-pxhw-h44j-8pfx).
 * @throws ForgeError `sandbox_failed` where something stands there
 */
export async function requireNoGit(folder: string): Promise<void> {
  if (await hasGit(folder)) throw sandboxFailed("the writable folder has a .git.");
}

/** Takes away what a program put there. @throws ForgeError `sandbox_failed` when that cannot be done */
export async function removePlantedGit(folder: string): Promise<void> {
  const stats = await lookAt(folder);
  if (stats === undefined) return;
  // A program may have closed the folder itself.
  if ((stats.mode & 0o700) !== 0o700) await chmod(folder, 0o700);
  if (!(await hasGit(folder))) return;
  await removeFolder(join(folder, ".git"));
  if (await hasGit(folder)) throw sandboxFailed("the .git that a program left cannot be removed.");
}

async function hasGit(folder: string): Promise<boolean> {
  return (await lookAt(join(folder, ".git"))) !== undefined;
}

async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const ADOPT_TIME_MS = 60_000;

/**
 * Gives a folder and all in it to the user of the sandbox, so that root's clone can be written to from inside. By `chown`, which walks
 * by descriptors and follows no link: another sandbox may be at work in the same folder. What is that user's already keeps its times, so that
 * what was known of it stays known; not every `chown` can tell them apart.
 */
export async function adoptFolder(folder: string): Promise<void> {
  const chown = (...options: readonly string[]) =>
    runProgram({
      command: "chown",
      args: ["-hRP", ...options, `${NOBODY}:${NOBODY}`, "--", folder],
      timeoutMs: ADOPT_TIME_MS,
      maxOutputBytes: 0,
    });
  const { ok } = await chown(`--from=${process.geteuid?.() ?? 0}`);
  if (ok || (await chown()).ok) return;
  throw sandboxFailed("its writable folder cannot be given to its user.");
}
