import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { readFile, stat, unlink, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { MIRROR_LIMITS } from "./limits.ts";

/** Creating a lock and removing an abandoned one take a millisecond: what is unfinished for longer was left by a process that died in it. */
const UNFINISHED_MS = 2_000;

export type Release = () => Promise<void>;

export interface LockOptions {
  /** Milliseconds to wait for others; 0 asks once. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Locks of this process: after a restart in a container the new process has the number of the dead one. */
const held = new Set<string>();

/**
 * A lock that other processes respect: a file created exclusively, refreshed while it is held. The lock of a dead process is taken over:
 * at once when it ran on this machine, after six missed refreshes otherwise.
 * @returns how to release it, or undefined when it was not free in time or the signal was aborted
 */
export async function acquireFileLock(path: string, { waitMs, signal }: LockOptions): Promise<Release | undefined> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    if (signal?.aborted) return undefined;
    const owner = `${hostname()}\n${process.pid}\n${randomUUID()}\n`;
    if (createExclusively(path, owner)) return hold(path, owner);
    if (await isAbandoned(path)) {
      await removeAbandoned(path);
      continue;
    }
    if (Date.now() >= deadline) return undefined;
    await sleep(MIRROR_LIMITS.lockRetryMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}

function hold(path: string, owner: string): Release {
  held.add(owner);
  const refresh = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, MIRROR_LIMITS.lockRefreshMs);
  refresh.unref();
  return async () => {
    clearInterval(refresh);
    // A lock that was taken over from us, after a standstill of this process, is not ours to remove.
    if ((await readIfThere(path)) === owner) await unlinkIfThere(path);
    held.delete(owner);
  };
}

/** Removal is a lock of its own: of two processes that saw the same dead owner, the slower must not remove the faster one's new lock. */
async function removeAbandoned(path: string): Promise<void> {
  const removal = `${path}.removal`;
  if (!createExclusively(removal, "")) {
    const age = await ageOf(removal);
    if (age !== undefined && age > UNFINISHED_MS) await unlinkIfThere(removal);
    else await sleep(MIRROR_LIMITS.lockRetryMs);
    return;
  }
  try {
    if (await isAbandoned(path)) await unlinkIfThere(path);
  } finally {
    await unlinkIfThere(removal);
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const age = await ageOf(path);
  if (age === undefined) return false;
  if (age > MIRROR_LIMITS.lockStaleMs) return true;
  const owner = (await readIfThere(path)) ?? "";
  if (owner === "") return age > UNFINISHED_MS;
  const [host, pid] = owner.split("\n");
  if (host !== hostname() || pid === undefined) return false;
  return Number(pid) === process.pid ? !held.has(owner) : !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Synchronous, so that hardly any moment is left in which a killed process leaves a file without its owner. */
function createExclusively(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function ageOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(ifMissing);
  return found && Date.now() - found.mtimeMs;
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(ifMissing);
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch(ifMissing);
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
