import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The control groups in which this process is, as folders of the kernel's file systems. */
export type OwnGroups =
  /** One tree for everything. `folders` are the own group and those above it, the own first. */
  | { readonly version: 2; readonly folders: readonly string[] }
  /** A tree for each controller; each folder is the own group in it. */
  | { readonly version: 1; readonly memory: string; readonly pids: string | undefined };

interface Mount {
  /** The part of the tree that is seen there. */
  readonly root: string;
  readonly at: string;
  readonly type: string;
  readonly options: readonly string[];
}

/**
 * Finds the control groups that count memory. Undefined where there are none that this process sees.
 * @param proc where the kernel tells of this process
 */
export function findControlGroups(proc = "/proc/self"): OwnGroups | undefined {
  const mounts = read(join(proc, "mountinfo")).split("\n").flatMap(parseMount);
  const groups = read(join(proc, "cgroup")).split("\n").flatMap(parseGroup);
  const folderOf = (controller: string): string | undefined => {
    const mount = mounts.find(({ type, options }) => type === "cgroup" && options.includes(controller));
    const group = groups.find(({ controllers }) => controllers.includes(controller));
    return mount && group && place(mount, group.path);
  };
  const memory = folderOf("memory");
  if (memory !== undefined) return { version: 1, memory, pids: folderOf("pids") };
  const unified = mounts.find(({ type }) => type === "cgroup2");
  const own = groups.find(({ id }) => id === "0");
  const folder = unified && own && place(unified, own.path);
  if (unified === undefined || folder === undefined) return undefined;
  return { version: 2, folders: upTo(unified.at, folder) };
}

/** Where a group's folder is; undefined when the mount does not show it. */
function place({ root, at }: Mount, path: string): string | undefined {
  if (root === "/") return resolve(at, `.${path}`);
  return path === root || path.startsWith(`${root}/`) ? resolve(at, `.${path.slice(root.length)}`) : undefined;
}

function upTo(top: string, folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; at.length >= top.length; at = join(at, "..")) {
    folders.push(at);
    if (at === top || at === "/") break;
  }
  return folders;
}

function parseMount(line: string): Mount[] {
  const [head = "", tail = ""] = line.split(" - ");
  const [, , , root, at] = head.split(" ");
  const [type, , options = ""] = tail.split(" ");
  if (root === undefined || at === undefined || type === undefined) return [];
  return [{ root, at, type, options: options.split(",") }];
}

function parseGroup(line: string): { id: string; controllers: string[]; path: string }[] {
  const [, id, controllers, path] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? [];
  if (id === undefined || controllers === undefined || path === undefined) return [];
  return [{ id, controllers: controllers.split(","), path }];
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
