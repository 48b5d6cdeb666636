import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { OwnGroups } from "./find-control-groups.ts";
import { SANDBOX_LIMITS } from "./sandbox.ts";

export interface GroupLimits {
  /** Everything that is charged to the processes of a run: what they map, files in memory, buffers, objects of the kernel. */
  readonly memoryBytes: number;
  readonly maxProcesses: number;
}

/** The control group of one run; goes with its disposal. */
export interface ControlGroup extends AsyncDisposable {
  /** Files of the kernel: who writes its number into each of them belongs to the group from then on, with all that it starts. */
  readonly entrances: readonly string[];
  /** What cannot be had back by forgetting copies of files: mapped memory and files in memory, and on version 2 the kernel's own. */
  heldBytes(): number;
  /** The kernel has ended a process of the group for want of memory. */
  ranOut(): boolean;
}

/** The kernel's own way to hold many processes to one limit. */
export interface ControlGroups {
  readonly version: 1 | 2;
  open(limits: GroupLimits): ControlGroup;
}

const TCP_USAGE = "memory.kmem.tcp.usage_in_bytes";

/** The beginning of the names of our groups; the number of our process and of its PID namespace follow. */
const PREFIX = "forge+";

/** A run enters its group at once: one that has been empty for this long belongs to no run. */
const LEFT_BEHIND_MS = 3_600_000;

/** Control groups in which runs can be held; undefined where none may be made. What a killed Forge left is removed. */
export function openControlGroups(own: OwnGroups | undefined): ControlGroups | undefined {
  if (own === undefined) return undefined;
  const parents = own.version === 1 ? [own.memory, ...(own.pids === undefined ? [] : [own.pids])] : enableMemory(own);
  if (parents === undefined) return undefined;
  for (const parent of parents) removeAbandoned(parent);
  const open = own.version === 1 ? openFirst : openSecond;
  const groups: ControlGroups = { version: own.version, open: (limits) => open(parents, limits) };
  return canOpen(groups) ? groups : undefined;
}

function canOpen(groups: ControlGroups): boolean {
  try {
    const group = groups.open({ memoryBytes: 64 * 1024 * 1024, maxProcesses: 16 });
    group.heldBytes();
    void group[Symbol.asyncDispose]();
    return true;
  } catch {
    // Read-only, as in most containers, or somebody else's.
    return false;
  }
}

function openSecond([parent = ""]: readonly string[], limits: GroupLimits): ControlGroup {
  const folder = makeGroup(parent);
  return opened([folder], () => {
    write(folder, "memory.max", limits.memoryBytes);
    writeIfThere(folder, "memory.swap.max", 0);
    // All or none: half a run is of no use to anybody.
    write(folder, "memory.oom.group", 1);
    writeIfThere(folder, "pids.max", limits.maxProcesses);
    return {
      heldBytes: () => {
        const counted = fields(folder, "memory.stat");
        const files = (counted.get("file") ?? 0) - (counted.get("shmem") ?? 0);
        const all = number(folder, "memory.current") + number(folder, "memory.swap.current");
        return all - files - (counted.get("slab_reclaimable") ?? 0);
      },
      ranOut: () => (fields(folder, "memory.events").get("oom_kill") ?? 0) > 0,
    };
  });
}

function openFirst([memoryParent = "", pidsParent]: readonly string[], limits: GroupLimits): ControlGroup {
  const memory = makeGroup(memoryParent);
  const pids = pidsParent === undefined ? undefined : makeGroup(pidsParent);
  return opened(pids === undefined ? [memory] : [memory, pids], () => {
    write(memory, "memory.limit_in_bytes", limits.memoryBytes);
    // Buffers of connections are counted for themselves, and only where they have a limit.
    writeIfThere(memory, "memory.kmem.tcp.limit_in_bytes", limits.memoryBytes);
    writeIfThere(memory, "memory.memsw.limit_in_bytes", limits.memoryBytes);
    if (pids !== undefined) write(pids, "pids.max", limits.maxProcesses);
    return {
      // The kernel's own memory is not split here into what it would give back and what not: that is left to the limit.
      heldBytes: () => {
        const counted = fields(memory, "memory.stat");
        const held = ["rss", "shmem", "swap"].reduce((sum, name) => sum + (counted.get(name) ?? 0), 0);
        return held + (existsSync(join(memory, TCP_USAGE)) ? number(memory, TCP_USAGE) : 0);
      },
      ranOut: () => (fields(memory, "memory.oom_control").get("oom_kill") ?? 0) > 0,
    };
  });
}

function opened(folders: readonly string[], setUp: () => Pick<ControlGroup, "heldBytes" | "ranOut">): ControlGroup {
  try {
    const entrances = folders.map((folder) => join(folder, "cgroup.procs"));
    return { ...setUp(), entrances, [Symbol.asyncDispose]: () => removeGroups(folders) };
  } catch (error) {
    void removeGroups(folders);
    throw error;
  }
}

function makeGroup(parent: string): string {
  const folder = join(parent, `${PREFIX}${process.pid}+${pidNamespace()}+${randomBytes(6).toString("hex")}`);
  mkdirSync(folder);
  return folder;
}

/** A group goes when the last process in it has been collected, which may take the kernel a moment. */
async function removeGroups(folders: readonly string[]): Promise<void> {
  const deadline = performance.now() + SANDBOX_LIMITS.endWaitMs;
  for (const folder of folders) {
    while (!removed(folder) && performance.now() < deadline) await delay(SANDBOX_LIMITS.endPollMs);
  }
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

/** Groups that hold a process stay in any case: the kernel does not let them be removed. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (name.startsWith(PREFIX) && isAbandoned(join(parent, name), name.split("+"))) removed(join(parent, name));
  }
}

/**
 * The number of a process says something only in its own PID namespace: from inside a container that shares the control groups of its host, a
 * Forge outside looks as if it were dead, and the group that it is about to enter would be taken away.
 */
function isAbandoned(folder: string, [, pid, namespace]: readonly string[]): boolean {
  if (namespace === pidNamespace()) return !existsSync(`/proc/${pid}`);
  return Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LEFT_BEHIND_MS;
}

/** The number of this process's PID namespace; empty where it cannot be read. */
function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replace(/[^0-9]/g, "");
  } catch {
    return "";
  }
}

function write(folder: string, name: string, value: number): void {
  writeFileSync(join(folder, name), String(value));
}

function writeIfThere(folder: string, name: string, value: number): void {
  if (existsSync(join(folder, name))) write(folder, name, value);
}

function number(folder: string, name: string): number {
  return Number(readFileSync(join(folder, name), "utf8"));
}

/** `name value` on each line. */
function fields(folder: string, name: string): Map<string, number> {
  const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
  return new Map(lines.map((line) => line.split(" ")).map(([key = "", value]) => [key, Number(value)]));
}

/** The group into which this process moves, so that the one above it may hand memory down: a group has processes or parts, never both. */
const OWN_PART = "forge-itself";

/**
 * A group below which others with a limit on memory can be made (version 2): the nearest that hands memory down already, or else this
 * process's own, where only it and its children are in it, as under a service manager that delegates.
 * @returns nothing where there is none
 */
export function enableMemory({ folders }: Extract<OwnGroups, { version: 2 }>): readonly [string] | undefined {
  const [own = ""] = folders;
  const handing = folders.find((folder) => lists(folder, "cgroup.subtree_control"));
  // Not above a group with a limit of its own: what runs for Forge counts against Forge's.
  if (handing !== undefined && folders.slice(0, folders.indexOf(handing)).every(isUnlimited)) return [handing];
  return lists(own, "cgroup.controllers") && makeRoom(own) ? [own] : undefined;
}

function makeRoom(own: string): boolean {
  const part = join(own, OWN_PART);
  const enter = (folder: string, pid: string) => writeFileSync(join(folder, "cgroup.procs"), pid);
  let moved: string[] = [];
  try {
    const there = pids(own);
    if (!there.every(isOurs)) return false;
    mkdirSync(part, { recursive: true });
    moved = there;
    for (const pid of there) enter(part, pid);
    const controllers = readText(own, "cgroup.controllers").includes("pids") ? "+memory +pids" : "+memory";
    writeFileSync(join(own, "cgroup.subtree_control"), controllers);
    return true;
  } catch {
    // Nothing was gained: back to where everybody was.
    try {
      for (const pid of moved) enter(own, pid);
      rmdirSync(part);
    } catch {
      // It stays where it is, which costs nothing.
    }
    return false;
  }
}

/** This process, or one that it or its parent started: `npm start` and a shell around it. */
function isOurs(pid: string): boolean {
  const parent = (of: string): string => /^PPid:\t(\d+)$/m.exec(readText("/proc", of, "status"))?.[1] ?? "0";
  const mine = String(process.pid);
  for (let at = mine; at !== "0" && at !== "1"; at = parent(at)) if (at === pid) return true;
  for (let at = pid; at !== "0"; at = parent(at)) if (at === mine) return true;
  return false;
}

function isUnlimited(folder: string): boolean {
  const limit = readText(folder, "memory.max").trim();
  return limit === "" || limit === "max";
}

function lists(folder: string, name: string): boolean {
  return readText(folder, name).trim().split(" ").includes("memory");
}

function pids(folder: string): string[] {
  return readText(folder, "cgroup.procs").split("\n").filter(Boolean);
}

function readText(...path: string[]): string {
  try {
    return readFileSync(join(...path), "utf8");
  } catch {
    return "";
  }
}
