import { randomUUID } from "node:crypto";
import { open, readFile, stat, unlink, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { MIRROR_LIMITS } from "./limits.ts";

export type Release = () => Promise<void>;

export interface LockOptions {
  /** Milliseconds to wait for others; 0 asks once. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A lock that other processes respect: a file created exclusively, refreshed while it is held. The lock of a dead process is taken over:
 * at once when it ran on this machine, after six missed refreshes otherwise.
 * @returns how to release it, or undefined when it could not be had in time or the signal was aborted
 */
export async function acquireFileLock(path: string, { waitMs, signal }: LockOptions): Promise<Release | undefined> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    if (signal?.aborted) return undefined;
    const owner = `${hostname()}\n${process.pid}\n${randomUUID()}\n`;
    if (await createExclusively(path, owner)) return hold(path, owner);
    if (await isAbandoned(path)) {
      await removeAbandoned(path);
      continue;
    }
    if (Date.now() >= deadline) return undefined;
    await sleep(MIRROR_LIMITS.lockRetryMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}

function hold(path: string, owner: string): Release {
  const refresh = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, MIRROR_LIMITS.lockRefreshMs);
  refresh.unref();
  return async () => {
    clearInterval(refresh);
    // A lock that was taken over from us, after a standstill of this process, is not ours to remove.
    if ((await readIfThere(path)) === owner) await unlinkIfThere(path);
  };
}

/** Removal is a lock of its own: of two processes that saw the same dead owner, the slower must not remove the faster one's new lock. */
async function removeAbandoned(path: string): Promise<void> {
  const removal = `${path}.removal`;
  if (!(await createExclusively(removal, ""))) {
    const age = await ageOf(removal);
    if (age !== undefined && age > MIRROR_LIMITS.lockStaleMs) await unlinkIfThere(removal);
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
  const [host, pid] = ((await readIfThere(path)) ?? "").split("\n");
  // An empty file is an owner between creating and writing.
  return host === hostname() && pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function createExclusively(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(content).finally(() => file.close());
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
