import type { Stats } from "node:fs";
import { chmod, lstat } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../remove-folder.ts";
import { sandboxFailed } from "./sandbox.ts";

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
