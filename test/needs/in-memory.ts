import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join, resolve } from "node:path";

const GIBI = 1024 ** 3;
const MEMORY = "/dev/shm";
const LEAST_BYTES = 6 * GIBI;
/** Short: a socket in a folder of a test has a path of at most 107 bytes. */
const PREFIX = "ft-";

/** A folder of this run; its name says which process removes it. */
function folderIn(parent: string): string {
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // As `/tmp` is: who root becomes in the sandbox has to come through.
  chmodSync(folder, 0o1777);
  return folder;
}

function remove(folder: string): void {
  // What a program left that even its owner cannot take away goes with the machine.
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Runs that were killed leave gigabytes, and in memory the next runs have no room then. */
function removeLeftBy(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) remove(join(parent, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Half of the time of these tests went into waiting for a disk: each has databases that are told to be on it before they answer, and
 * repositories. Where Linux has a file system in memory with room enough, their temporary files lie there; what dies in them is processes and
 * never machines.
 * @returns the folder, or why they stay where they are
 */
function folderInMemory(): string | { readonly why: string } {
  if (process.platform !== "linux") return { why: "only Linux has a file system in memory" };
  try {
    removeLeftBy(MEMORY);
    const { bavail, bsize } = statfsSync(MEMORY);
    const room = Math.min(bavail * bsize, freemem());
    if (room < LEAST_BYTES) return { why: `${MEMORY} has ${(room / GIBI).toFixed(1)} GiB free, and 6 are wanted` };
    return folderIn(MEMORY);
  } catch (error) {
    return { why: (error as Error).message };
  }
}

removeLeftBy(tmpdir());
const disk = folderIn(tmpdir());
const memory = folderInMemory();
// Workers begin with the environment of this process.
process.env.FORGE_TEST_DISK = disk;
process.env.TMPDIR = typeof memory === "string" ? memory : disk;
if (typeof memory !== "string" && process.platform === "linux")
  console.log(`Temporary files lie on the disk, so that this takes longer: ${memory.why}.`);

// Programs of Forge that tests start, and the packages that workers load: what was compiled once is kept, as half of their start is compiling.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/forge-tests");

export function teardown(): void {
  remove(disk);
  if (typeof memory === "string") remove(memory);
}
