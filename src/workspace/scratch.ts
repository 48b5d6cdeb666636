import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, statfs } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { LEFT, removeFolder } from "./remove-folder.ts";

export interface Cleared {
  /** How many folders are gone. */
  readonly removed: number;
  /** Names of those that cannot be removed, or not yet. */
  readonly left: readonly string[];
}

export interface ClearLimits {
  /** Milliseconds in all. */
  readonly timeMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Below this, what was left is removed before anything is written: nothing else would start. */
const SHORT = { bytes: 256 * 1024 * 1024, files: 10_000 };

/** How long a start on a full disk may spend on it. */
const START_MS = 20_000;

/** Where processes of this machine work for a while, by the beginning of a name: so that others can tell whether they are still there. */
export function scratchName(): string {
  return `${hostname().replace(/[^A-Za-z0-9.-]/g, "_")}+${process.pid}`;
}

/**
 * Makes the folder in which this process works: always a new one, so that nothing depends on what an earlier process left.
 * @returns its path
 */
export async function openScratch(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true }).catch(unlessFull);
  if (await isShort(folder)) await clearScratch(folder, undefined, { timeMs: START_MS });
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, `${scratchName()}+`));
  // The user of the sandbox may be another one, and has to pass.
  await chmod(own, 0o755);
  return own;
}

/**
 * Removes what processes of this machine left that are there no more, and what this one could not remove; workers of other machines may
 * share the folder. Never throws.
 * @param own the folder of this process, in which others may be at work
 */
export async function clearScratch(folder: string, own: string | undefined, limits: ClearLimits): Promise<Cleared> {
  return removeAll(await abandoned(folder, own), limits);
}

/** Kinds of folders that processes make beside the scratch folder: what is in them is shown in a sandbox, or is no file of a change. */
const TEMPORARY = ["sandbox", "self-test", "install", "requirements", "reader", "view"] as const;

/** A new folder of this process where the system keeps what is temporary; its name says whose it is. The caller removes it. */
export function makeTemporary(kind: (typeof TEMPORARY)[number]): Promise<string> {
  return mkdtemp(join(tmpdir(), `forge-${kind}-${machine()}-${process.pid}-`));
}

/** Removes such folders of processes of this machine that were killed. Never throws. */
export async function clearTemporary({ timeMs, signal }: ClearLimits): Promise<Cleared> {
  const names = await readdir(tmpdir()).catch(() => []);
  const name = new RegExp(`^forge-(?:${TEMPORARY.join("|")})-${machine()}-(\\d{1,9})-`);
  const dead = names.filter((each) => {
    const pid = name.exec(each)?.[1];
    return pid !== undefined && Number(pid) !== process.pid && !isAlive(Number(pid));
  });
  return removeAll(
    dead.map((each) => join(tmpdir(), each)),
    { timeMs, signal },
  );
}

/** Short, as sockets stand below it, whose paths may have 100 characters. */
function machine(): string {
  return createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
}

async function removeAll(paths: readonly string[], { timeMs, signal }: ClearLimits): Promise<Cleared> {
  const deadline = performance.now() + timeMs;
  const left: string[] = [];
  for (const path of paths) {
    const rest = deadline - performance.now();
    const gone = rest > 0 && !signal?.aborted && (await removeFolder(path, { timeMs: rest, signal }));
    if (!gone) left.push(basename(path));
  }
  return { removed: paths.length - left.length, left };
}

async function abandoned(folder: string, own: string | undefined): Promise<string[]> {
  const [host] = scratchName().split("+");
  const names = await readdir(folder).catch(() => []);
  const dead = names.filter((name) => {
    const [where, pid] = name.split("+");
    return pid === undefined || (where === host && !isAlive(Number(pid)));
  });
  const ours = own === undefined ? [] : await readdir(own).catch(() => []);
  return [
    ...dead.map((name) => join(folder, name)).filter((path) => path !== own),
    ...ours.filter((name) => name.endsWith(LEFT)).map((name) => join(own ?? "", name)),
  ];
}

async function isShort(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => undefined);
  if (found === undefined) return false;
  // File systems without a fixed number of files say that they have none.
  const isShortOfFiles = found.files > 0 && found.ffree < SHORT.files;
  return isShortOfFiles || found.bavail * found.bsize < SHORT.bytes;
}

function unlessFull(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOSPC" && error.code !== "EDQUOT") throw error;
  return undefined;
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
