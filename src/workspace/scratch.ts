import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** Where this process works for a while: named so that others can tell whether it is still there. */
export function scratchName(): string {
  return `${hostname().replace(/[^A-Za-z0-9.-]/g, "_")}+${process.pid}`;
}

/** Removes what processes of this machine left that are there no more; workers of other machines may share the folder. */
export async function clearScratch(folder: string): Promise<void> {
  const [host] = scratchName().split("+");
  for (const name of await readdir(folder).catch(() => [])) {
    const [where, pid] = name.split("+");
    const isOurs = pid === undefined || (where === host && !isAlive(Number(pid)));
    if (isOurs) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
