import { readFileSync, statfsSync } from "node:fs";
import type { ControlGroup } from "./control-groups.ts";
import { exactMemoryBytes, treeUsage } from "./process-tree.ts";
import { type LimitHit, SANDBOX_LIMITS } from "./sandbox.ts";

export interface WatchSpec {
  /** The first process of the sandbox, once it is known. */
  readonly firstPid: () => number | undefined;
  readonly memoryBytes: number;
  /** The additional limit of the folders in memory. */
  readonly temporaryBytes: number;
  /** Where the kernel counts what the processes use and holds them to it. */
  readonly group: ControlGroup | undefined;
  readonly maxProcesses: number;
  /** The folder whose disk fills up. */
  readonly folder: string | undefined;
  readonly maxDiskBytes: number;
}

/**
 * Calls `onHit` once when the processes of a sandbox together pass a limit, or when the machine runs short of memory or disk, whoever
 * uses it up. Memory that no process maps is known by the control group; without one, by what the whole machine uses more of than before.
 * @returns a function that ends the watch
 */
export function watchLimits(spec: WatchSpec, onHit: (limit: LimitHit) => void): () => void {
  const freeAtStart = (spec.folder === undefined ? undefined : freeDisk(spec.folder)) ?? NOTHING;
  const unmappedAtStart = spec.group === undefined ? machineMemory().unmappedBytes : 0;
  const timer = setInterval(() => {
    const hit = limitHit(spec, freeAtStart, unmappedAtStart);
    if (hit === undefined) return;
    clearInterval(timer);
    onHit(hit);
  }, SANDBOX_LIMITS.watchIntervalMs);
  return () => clearInterval(timer);
}

function limitHit(spec: WatchSpec, freeAtStart: FreeDisk, unmappedAtStart: number): LimitHit | undefined {
  const machine = machineMemory();
  if (machine.availableBytes < SANDBOX_LIMITS.machineMemoryBytes) return "memory";
  const free = spec.folder === undefined ? undefined : freeDisk(spec.folder);
  if (free !== undefined) {
    if (free.bytes < SANDBOX_LIMITS.machineDiskBytes || freeAtStart.bytes - free.bytes > spec.maxDiskBytes)
      return "disk";
    if (free.files < SANDBOX_LIMITS.machineFiles || freeAtStart.files - free.files > SANDBOX_LIMITS.files)
      return "disk";
  }
  const firstPid = spec.firstPid();
  if (firstPid === undefined) return undefined;
  const usage = treeUsage(firstPid);
  if (usage.tasks >= spec.maxProcesses) return "processes";
  if (usage.memoryBytes > spec.memoryBytes && exactMemoryBytes(firstPid) > spec.memoryBytes) return "memory";
  const unmapped = unmappedBytes(spec, firstPid, machine.unmappedBytes - unmappedAtStart);
  return unmapped > spec.memoryBytes ? "memory" : undefined;
}

/** With a group: all that the run uses. Without: what anybody uses more than at its start. Never what the temporary folders may hold. */
function unmappedBytes({ group, temporaryBytes: most }: WatchSpec, firstPid: number, grownBytes: number): number {
  if (group === undefined) return grownBytes - most;
  try {
    return group.heldBytes() - temporaryBytes(firstPid, most);
  } catch {
    // What it holds cannot be measured any more, nor whether it keeps to its limit.
    return Number.POSITIVE_INFINITY;
  }
}

interface FreeDisk {
  readonly bytes: number;
  /** A disk has room for so many files, however small they are; infinite where it does not count them. */
  readonly files: number;
}

const NOTHING: FreeDisk = { bytes: 0, files: 0 };

/** Undefined where the folder is gone: the run that has it will end by itself, and a timer that throws would end Forge. */
function freeDisk(folder: string): FreeDisk | undefined {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return { bytes: bavail * bsize, files: files === 0 ? Number.MAX_SAFE_INTEGER : ffree };
  } catch {
    return undefined;
  }
}

const KIB = 1024;

interface MachineMemory {
  readonly availableBytes: number;
  /**
   * The machine's use beyond mapped memory and copies of files that it could forget: files in memory, buffers of sockets and pipes,
   * the kernel's own objects. They belong to no one process.
   */
  readonly unmappedBytes: number;
}

function machineMemory(): MachineMemory {
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
 * The use of a sandbox's folders in memory, which have limits of their own.
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
