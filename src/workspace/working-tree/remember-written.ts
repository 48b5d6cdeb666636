import { lstat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { FolderMemory, Tracked } from "./folder-state.ts";
import { scanFolder } from "./scan-folder.ts";

/** The clock of a file system mostly moves on every 4 ms; for one that counts seconds nobody waits. */
const MOST_WAITS = 20;

/**
 * What there is to know of a folder that was just written and that nobody else has had yet: its contents are those of the entries, and any
 * change from now on will show, as the file system's clock has moved on since. Where it does not in time, files are left out.
 * @param clock path of a file of ours in the same file system, which is written
 */
export async function rememberWritten(
  root: string,
  { entries, unwritten }: Tracked,
  clock: string,
): Promise<FolderMemory> {
  const hashes: FolderMemory["hashes"] = new Map();
  const found = await scanFolder(root, new Set());
  const last = [...found.values()].reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0);
  const now = await clockAfter(last, clock);
  for (const [path, { stamp, changedAt }] of found) {
    const entry = entries.get(path);
    if (entry !== undefined && !unwritten.has(path) && changedAt < now) hashes.set(path, { stamp, sha: entry.sha });
  }
  return { hashes };
}

/** What the file system takes for the time, in milliseconds since 1970: later than `last`, unless that takes too long. */
async function clockAfter(last: number, path: string): Promise<number> {
  await writeFile(path, "");
  for (let wait = 0; ; wait += 1) {
    await utimes(path, 0, 0);
    const now = Math.floor((await lstat(path)).ctimeMs);
    if (now > last || wait === MOST_WAITS) return now;
    await sleep(1);
  }
}
