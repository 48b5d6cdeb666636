import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { contains } from "../path-text.ts";
import { BOX_FOLDER, NOBODY, SANDBOX_LIMITS, type SandboxSpec, sandboxFailed } from "./sandbox.ts";
import { requireNoGit } from "./writable-folder.ts";

/** The parts of the sandbox of one run. Looks at every path that is handed in: these come from us, a clone's contents do not. */
export async function planBox(spec: SandboxSpec): Promise<BoxPlan> {
  const mounts: Mount[] = OWN_SETTINGS.map((setting) => ({ ...setting, writable: false }));
  mounts.push({ source: process.execPath, target: join(NODE_FOLDER, "node"), writable: false });
  mounts.push(...(await shown(spec.readOnly ?? [])));
  if (spec.writable !== undefined) {
    mounts.push({ source: await ownFolder(spec.writable), target: BOX_FOLDER, writable: true });
    await requireNoGit(spec.writable);
  }
  return {
    mounts,
    temporaryBytes: spec.temporaryBytes ?? SANDBOX_LIMITS.temporaryBytes,
    workingDirectory: spec.workingDirectory ?? (spec.writable === undefined ? "/tmp" : BOX_FOLDER),
    env: spec.env ?? {},
  };
}

/**
 * What is shown must not be mounted through another thing that is shown, or through the writable folder: their contents are hostile, and
 * bubblewrap below 0.12 follows links on the way to a mount point, out of the sandbox (GHSA-pxhw-h44j-8pfx).
 */
async function shown(paths: readonly string[]): Promise<Mount[]> {
  const mounts: Mount[] = [];
  for (const path of new Set(paths.map((each) => resolve(each)))) {
    mounts.push({ source: await existing(path), target: path, writable: false });
  }
  const apart = mounts.filter((mount) => !mounts.some((outer) => outer !== mount && isSeenIn(outer, mount)));
  for (const { target } of apart) {
    const around = [BOX_FOLDER, ...apart.map((other) => other.target).filter((other) => other !== target)];
    if (around.some((other) => contains(other, target) || contains(target, BOX_FOLDER)))
      throw sandboxFailed(`${JSON.stringify(target)} cannot be shown inside of another thing that is shown.`);
  }
  return apart;
}

/** Whether the one is a part of the other, so that it is seen with it. */
function isSeenIn(outer: Mount, inner: Mount): boolean {
  return (
    contains(outer.target, inner.target) && resolve(outer.source, relative(outer.target, inner.target)) === inner.source
  );
}

async function ownFolder(path: string): Promise<string> {
  if ((await kindOf(path)) !== "folder") throw sandboxFailed(`${JSON.stringify(path)} is not a folder.`);
  const folder = await existing(path);
  if (belongsToSystem(folder)) throw sandboxFailed(`${JSON.stringify(path)} belongs to the system.`);
  if (contains(folder, process.execPath)) throw sandboxFailed(`${JSON.stringify(path)} holds Forge's own Node.`);
  return folder;
}

async function existing(path: string): Promise<string> {
  if (!isAbsolute(path) || path === sep) throw sandboxFailed(`${JSON.stringify(path)} cannot be shown inside.`);
  return realpath(path).catch((cause: unknown) => {
    throw sandboxFailed(`${JSON.stringify(path)} does not exist.`, cause);
  });
}

async function kindOf(path: string): Promise<"absent" | "file" | "folder" | "link"> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stats === undefined) return "absent";
  if (stats.isSymbolicLink()) return "link";
  return stats.isDirectory() ? "folder" : "file";
}

const SYSTEM_FOLDERS = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib64",
  "/opt/forge",
  "/proc",
  "/sbin",
  "/sys",
  "/usr",
];

/** Below a device folder, and yet for everybody's temporary files as `/tmp` is. */
const SHARED_MEMORY = "/dev/shm";

/**
 * Whether a folder is a part of the system, or holds one. Such a folder is never made writable: where Forge is root, what is made
 * writable is given to another user with all that is in it.
 */
export function belongsToSystem(folder: string): boolean {
  if (folder !== SHARED_MEMORY && contains(SHARED_MEMORY, folder)) return false;
  return SYSTEM_FOLDERS.some((system) => contains(system, folder) || contains(folder, system));
}

/** One thing of the machine that is seen inside. */
interface Mount {
  readonly source: string;
  readonly target: string;
  readonly writable: boolean;
}

export interface BoxPlan {
  readonly mounts: readonly Mount[];
  readonly temporaryBytes: number;
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Forge's own Node stands here: the same one everywhere, and first in PATH. */
const NODE_FOLDER = "/opt/forge/bin";

const FIXED_ENVIRONMENT = {
  HOME: "/tmp",
  LANG: "C.UTF-8",
  PATH: `${NODE_FOLDER}:/usr/local/bin:/usr/bin:/bin`,
  TMPDIR: "/tmp",
};

/** Descriptors that the start-up shell opens for bubblewrap, which closes them before the program starts. */
export const FILTER_DESCRIPTOR = 8;
export const STATUS_DESCRIPTOR = 9;

/** Everything that bubblewrap is told before the program. The order counts: later mounts cover earlier ones. */
export function bubblewrapArguments(plan: BoxPlan): string[] {
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup"],
    ...["--uid", String(NOBODY), "--gid", String(NOBODY), "--hostname", "box"],
    ...["--cap-drop", "ALL", "--new-session", "--die-with-parent"],
    ...["--seccomp", String(FILTER_DESCRIPTOR), "--json-status-fd", String(STATUS_DESCRIPTOR)],
    ...minimalRoot(plan.temporaryBytes),
    ...plan.mounts.flatMap(({ source, target, writable }) => [writable ? "--bind" : "--ro-bind", source, target]),
    // These are file systems in memory, which the program would otherwise own and fill.
    // The kernel's folder of processes takes no writing either: a program would make itself the last to go when memory runs out.
    ...["/", "/proc", ...maskedFolders()].flatMap((path) => ["--remount-ro", path]),
    ...["--chdir", plan.workingDirectory, "--clearenv"],
    ...Object.entries({ ...FIXED_ENVIRONMENT, ...plan.env }).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

/** Folders that are links into `/usr` on most systems, and real on some. */
const USR_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * Covered by emptiness. Package managers keep their settings of the whole machine in the first two, a registry token among them now
 * and then; images are built with applications in the others, and Forge itself may be one of them.
 */
const MASKED_FOLDERS = ["/usr/etc", "/usr/local/etc", "/usr/src", "/usr/local/src"];
const FORGE_FOLDER = fileURLToPath(new URL("../../..", import.meta.url));

function maskedFolders(): string[] {
  const ownFolders = [resolve(FORGE_FOLDER), process.cwd()].filter((folder) => contains("/usr", folder));
  return [...new Set([...MASKED_FOLDERS.filter((folder) => existsSync(folder)), ...ownFolders])];
}

/** Files that programs need to start or to check a certificate; nothing in these is secret on any system we know. */
const SETTINGS = [
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/alternatives",
  "/etc/localtime",
  "/etc/mime.types",
  "/etc/protocols",
  "/etc/services",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust/extracted",
];

/** Our own, from the folder beside this file, so that neither accounts nor names of the machine are seen. */
const OWN_SETTINGS = ["passwd", "group", "hosts", "nsswitch.conf"].map((name) => ({
  source: fileURLToPath(new URL(`./etc/${name}`, import.meta.url)),
  target: `/etc/${name}`,
}));

/** The part of bubblewrap's arguments that is the same for every run: an own root with programs, and nothing of the machine besides. */
function minimalRoot(temporaryBytes: number): string[] {
  return [
    ...["--ro-bind", "/usr", "/usr"],
    ...maskedFolders().flatMap((folder) => ["--tmpfs", folder]),
    ...USR_FOLDERS.flatMap(systemFolder),
    ...SETTINGS.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc"],
    ...["--dev", "/dev"],
    ...["--perms", "1777", "--size", String(SANDBOX_LIMITS.sharedMemoryBytes), "--tmpfs", "/dev/shm"],
    ...["--remount-ro", "/dev"],
    ...["--perms", "1777", "--size", String(temporaryBytes), "--tmpfs", "/tmp"],
  ];
}

function systemFolder(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}
