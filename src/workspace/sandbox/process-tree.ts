import { readdirSync, readFileSync } from "node:fs";

/** Present use by the processes of a sandbox. */
export interface TreeUsage {
  readonly memoryBytes: number;
  /** Processes and their threads, as the kernel counts them against its limit. */
  readonly tasks: number;
}

const KIB = 1024;

/** All descendants of a process, without itself. Processes that end while we look are left out. */
export function treeUsage(rootPid: number): TreeUsage {
  let memoryBytes = 0;
  let tasks = 0;
  const waiting = children(rootPid);
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const status = readProcess(pid, "status");
    memoryBytes += residentBytes(status);
    tasks += field(status, "Threads");
    waiting.push(...children(pid));
  }
  return { memoryBytes, tasks };
}

/** The same with pages that processes share counted once. Slower, so only for a second look. */
export function exactMemoryBytes(rootPid: number): number {
  let memoryBytes = 0;
  const waiting = children(rootPid);
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const rollup = readProcess(pid, "smaps_rollup");
    const status = readProcess(pid, "status");
    memoryBytes += rollup === "" ? residentBytes(status) : proportionalBytes(rollup) + KIB * field(status, "VmPTE");
    waiting.push(...children(pid));
  }
  return memoryBytes;
}

/** The tables of pages are as large as a program wants, also where nothing stands in the pages. */
function residentBytes(status: string): number {
  return (
    KIB * (field(status, "RssAnon") + field(status, "RssShmem") + field(status, "VmSwap") + field(status, "VmPTE"))
  );
}

function proportionalBytes(rollup: string): number {
  return KIB * (field(rollup, "Pss_Anon") + field(rollup, "Pss_Shmem") + field(rollup, "SwapPss"));
}

/** The first process of a PID namespace goes last: without it, or when it only waits to be collected, all of them are gone. */
export function isNamespaceAlive(firstPid: number): boolean {
  const status = readProcess(firstPid, "status");
  const [, state] = /^State:\s+(\S)/m.exec(status) ?? [];
  // Its number may have been given to another process meanwhile, which is no first process of a namespace of its own.
  return state !== undefined && state !== "Z" && state !== "X" && /^NSpid:.*\t1$/m.test(status);
}

function children(pid: number): number[] {
  return listThreads(pid).flatMap((thread) =>
    readProcess(pid, `task/${thread}/children`)
      .split(" ")
      .filter((text) => text !== "")
      .map(Number),
  );
}

function listThreads(pid: number): string[] {
  return unlessGone(() => readdirSync(`/proc/${pid}/task`)) ?? [];
}

function readProcess(pid: number, name: string): string {
  return unlessGone(() => readFileSync(`/proc/${pid}/${name}`, "utf8")) ?? "";
}

function field(status: string, name: string): number {
  const [, value] = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status) ?? [];
  return Number(value ?? 0);
}

/** A process that has ended, or whose details another user may not see. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(code)) return undefined;
    throw error;
  }
}
