import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A process of this machine, told from a later one of the same number by when it began. */
export interface Seen {
  readonly pid: number;
  readonly began: string;
  readonly command: string;
}

const PAGE_BYTES = 4096;

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** State, parent and beginning; undefined when there is none. */
function stat(pid: number) {
  const text = read(`/proc/${pid}/stat`);
  // The name in brackets may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return text === "" ? undefined : { state: fields[0]!, parent: Number(fields[1]), began: fields[19]! };
}

function allPids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function describe(pid: number, began: string): Seen {
  return { pid, began, command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").slice(0, 400) };
}

/** The process and everything that it started, directly or not. */
export function familyOf(root: number): Seen[] {
  const children = new Map<number, number[]>();
  const began = new Map<number, string>();
  for (const pid of allPids()) {
    const known = stat(pid);
    if (known === undefined || known.state === "Z") continue;
    began.set(pid, known.began);
    children.set(known.parent, [...(children.get(known.parent) ?? []), pid]);
  }
  const family: Seen[] = [];
  const waiting = [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const start = began.get(pid);
    if (start !== undefined) family.push(describe(pid, start));
    waiting.push(...(children.get(pid) ?? []));
  }
  return family;
}

export function isAlive({ pid, began }: Seen): boolean {
  const known = stat(pid);
  return known !== undefined && known.began === began && known.state !== "Z" && known.state !== "X";
}

/** Whoever has a folder in its command, its working directory or its root. */
export function usersOf(folder: string): Seen[] {
  const uses = (pid: number) =>
    [read(`/proc/${pid}/cmdline`), link(`/proc/${pid}/cwd`), link(`/proc/${pid}/root`)].some((text) =>
      text.includes(folder),
    );
  return allPids().flatMap((pid) => {
    const known = pid === process.pid || !uses(pid) ? undefined : stat(pid);
    return known === undefined || known.state === "Z" ? [] : [describe(pid, known.began)];
  });
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** Resident memory in bytes. Pages that processes share are counted for each. */
export function residentBytes({ pid }: Seen): number {
  return Number(read(`/proc/${pid}/statm`).split(" ")[1] ?? 0) * PAGE_BYTES;
}

/** Processor time of its main thread, in milliseconds. */
export function mainThreadMs(pid: number): number {
  return Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(" ")[0] ?? 0) / 1e6;
}

/** What the machine holds for its kernel and in files that are in memory alone, in bytes; 0 where nobody says it. */
export function unmappedBytes(): number {
  const text = read("/proc/meminfo");
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
  return 1024 * (kibibytes("Shmem") + kibibytes("SUnreclaim") + kibibytes("KernelStack") + kibibytes("PageTables"));
}
