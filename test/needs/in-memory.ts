import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { resolve } from "node:path";

const GIBI = 1024 ** 3;
const MEMORY = "/dev/shm";

/**
 * Half of the time of these tests went into waiting for a disk: each has databases that are told to be on it before they answer, and
 * repositories. Where Linux has a file system in memory with room enough, their temporary files lie there; what dies in them is processes and
 * never machines.
 * @returns the folder, or undefined where they stay where they are
 */
function folderInMemory(): string | undefined {
  if (process.platform !== "linux" || process.env.FORGE_TEST_DISK !== undefined) return undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < 6 * GIBI || freemem() < 6 * GIBI) return undefined;
    const folder = mkdtempSync(`${MEMORY}/forge-tests-`);
    // As `/tmp` is: who root becomes in the sandbox has to come through.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return undefined;
  }
}

const folder = folderInMemory();
// Workers begin with the environment of this process.
if (folder !== undefined) {
  process.env.FORGE_TEST_DISK = tmpdir();
  process.env.TMPDIR = folder;
}

// Programs of Forge that tests start, and the packages that workers load: what was compiled once is kept, as half of their start is compiling.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/forge-tests");

export function teardown(): void {
  // What a program left that even its owner cannot take away goes with the machine.
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
