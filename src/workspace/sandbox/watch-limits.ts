import { readFileSync, statfsSync } from "node:fs";
import { exactMemoryBytes, treeUsage } from "./process-tree.ts";
import type { LimitHit } from "./sandbox.ts";
import { SANDBOX_LIMITS } from "./sandbox-limits.ts";

export interface WatchSpec {
  /** The first process of the sandbox, once it is known. */
  readonly firstPid: () => number | undefined;
  readonly memoryBytes: number;
  readonly maxProcesses: number;
  /** The folder whose disk fills up. */
  readonly folder: string | undefined;
  readonly maxDiskBytes: number;
}

/**
 * Calls `onHit` once when the processes of a sandbox together pass a limit, or when the machine runs short of memory or disk, whoever
 * uses it up. The kernel has limits for one process; for all of them it has control groups, which Forge may seldom create.
 * @returns a function that ends the watch
 */
export function watchLimits(spec: WatchSpec, onHit: (limit: LimitHit) => void): () => void {
  const freeAtStart = spec.folder === undefined ? NOTHING : freeDisk(spec.folder);
  const timer = setInterval(() => {
    const hit = limitHit(spec, freeAtStart);
    if (hit === undefined) return;
    clearInterval(timer);
    onHit(hit);
  }, SANDBOX_LIMITS.watchIntervalMs);
  return () => clearInterval(timer);
}

function limitHit(spec: WatchSpec, freeAtStart: FreeDisk): LimitHit | undefined {
  if (availableMemoryBytes() < SANDBOX_LIMITS.machineMemoryBytes) return "memory";
  if (spec.folder !== undefined) {
    const free = freeDisk(spec.folder);
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
  return undefined;
}

interface FreeDisk {
  readonly bytes: number;
  /** A disk has room for so many files, however small they are; infinite where it does not count them. */
  readonly files: number;
}

const NOTHING: FreeDisk = { bytes: 0, files: 0 };

function freeDisk(folder: string): FreeDisk {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  return { bytes: bavail * bsize, files: files === 0 ? Number.MAX_SAFE_INTEGER : ffree };
}

function availableMemoryBytes(): number {
  const [, kibibytes] = /^MemAvailable:\s+(\d+)/m.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
  return kibibytes === undefined ? Number.POSITIVE_INFINITY : Number(kibibytes) * 1024;
}
