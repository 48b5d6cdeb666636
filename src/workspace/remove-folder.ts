import { constants } from "node:fs";
import { lstat, open, opendir, readFile, realpath, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { contains } from "./path-text.ts";
import { runProgram } from "./run-program.ts";

/** A million files take a loaded disk a minute; callers do not wait longer than this. */
const REMOVE_TIME_MS = 60_000;

/** At the end of the name of what could not be removed: it is not in use any more, and `clearScratch` tries again. */
export const LEFT = "+left";

/**
 * Removes a folder of ours, whatever a hostile program left in it: nested folders deeper than a path can say, names that are no text, rights
 * taken away, a million files. What cannot be removed, or not in time, is set aside under another name. By programs of the system, which
 * walk from folder to folder by descriptors and follow no link, so that neither their time nor their memory is this process's; a few files
 * and nothing else are removed without one. And nothing is removed where something is mounted below, which is not ours.
 * @param limits how long it may take in all, in milliseconds, and what ends it before
 * @returns whether it is gone. Never throws: no work fails because of what it leaves behind
 */
export async function removeFolder(
  folder: string,
  { timeMs = REMOVE_TIME_MS, signal }: { readonly timeMs?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<boolean> {
  const deadline = performance.now() + timeMs;
  const run = async (command: string, ...args: readonly string[]) => {
    const timeoutMs = Math.max(1, deadline - performance.now());
    const ending = signal === undefined ? {} : { signal };
    await runProgram({ command, args: [...args, "--", folder], cwd: "/", timeoutMs, maxOutputBytes: 0, ...ending });
  };
  try {
    if (await isGone(folder)) return true;
    if (!(await holdsMount(folder))) {
      if (!(await removeFew(folder))) await run("rm", "-rf");
      if (await isGone(folder)) return true;
      await run("chmod", "-R", "u+rwX");
      await run("rm", "-rf");
      if (await isGone(folder)) return true;
    }
  } catch {
    // A program that is missing, a disk that fails: it is still there, and that is all there is to say.
  }
  if (!folder.endsWith(LEFT)) await rename(folder, `${folder}${LEFT}`).catch(() => undefined);
  return false;
}

/** To start a program costs as much as to remove so many files. */
const FEW = 16;

/**
 * Of most folders it is what Forge itself put there. By the descriptor of the folder, which another program may be about to replace.
 * @returns false where there is more to it, or it cannot be done like this: programs of the system see to what is left
 */
async function removeFew(folder: string): Promise<boolean> {
  try {
    await using opened = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const place = `/proc/self/fd/${opened.fd}`;
    const files: string[] = [];
    for await (const entry of await opendir(place, { bufferSize: FEW })) {
      if (files.length === FEW || entry.isDirectory()) return false;
      files.push(entry.name);
    }
    for (const file of files) await unlink(join(place, file));
    return true;
  } catch {
    return false;
  }
}

/** Most folders of ours are empty in the end; and what stands there may be no folder any more. */
async function isGone(folder: string): Promise<boolean> {
  await rmdir(folder).catch(({ code }: NodeJS.ErrnoException) => (code === "ENOTDIR" ? unlink(folder) : undefined));
  return lstat(folder).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === "ENOENT",
  );
}

async function holdsMount(folder: string): Promise<boolean> {
  const real = await realpath(folder);
  const mounts = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  return mounts.split("\n").some((line) => contains(real, unescaped(line.split(" ")[4] ?? "/")));
}

/** Spaces and the like stand as `\040` there. */
function unescaped(text: string): string {
  const bytes = text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  return text === bytes ? text : bytes;
}
