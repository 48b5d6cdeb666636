import { readFileSync, statfsSync } from "node:fs";

const KIB = 1024;

export interface MachineMemory {
  readonly availableBytes: number;
  /**
   * What the machine uses beyond mapped memory and copies of files that it could forget: files in memory, buffers of sockets and pipes,
   * the kernel's own objects. Nobody's in particular.
   */
  readonly unmappedBytes: number;
}

export function machineMemory(): MachineMemory {
  const text = readFileSync("/proc/meminfo", "utf8");
  const counted = new Map(
    [...text.matchAll(/^(\w+):\s+(\d+)/gm)].map(([, name, value]) => [name, KIB * Number(value)]),
  );
  const of = (name: string) => counted.get(name) ?? 0;
  const files = of("Cached") + of("Buffers") + of("SReclaimable") - of("Shmem");
  return {
    availableBytes: counted.get("MemAvailable") ?? Number.POSITIVE_INFINITY,
    unmappedBytes: of("MemTotal") - of("MemFree") - of("AnonPages") - files,
  };
}

/**
 * What the folders in memory of a sandbox hold, which have limits of their own.
 * @param most what they can hold; taken where they cannot be looked at from here
 */
export function temporaryBytes(firstPid: number, most: number): number {
  try {
    const used = ["tmp", "dev/shm"].map((folder) => {
      const { blocks, bfree, bsize } = statfsSync(`/proc/${firstPid}/root/${folder}`);
      return (blocks - bfree) * bsize;
    });
    return Math.min(
      most,
      used.reduce((sum, bytes) => sum + bytes, 0),
    );
  } catch {
    return most;
  }
}
