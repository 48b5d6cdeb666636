import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OwnGroups } from "./find-control-groups.ts";

/** The group into which this process moves, so that the one above it may hand memory down: a group has processes or parts, never both. */
const OWN_PART = "forge-itself";

/**
 * A group below which others with a limit on memory can be made (version 2): the nearest that hands memory down already, or else this
 * process's own, where nobody but it and its children is in it, as under a service manager that delegates.
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
