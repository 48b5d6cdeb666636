import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { belongsToSystem } from "./belongs-to-system.ts";
import { type BoxPlan, type Mount, NODE_FOLDER } from "./box-plan.ts";
import { contains } from "./contains.ts";
import { OWN_SETTINGS } from "./minimal-root.ts";
import { BOX_FOLDER, type SandboxSpec } from "./sandbox.ts";
import { sandboxFailed } from "./sandbox-failed.ts";
import { SANDBOX_LIMITS } from "./sandbox-limits.ts";

/** What the sandbox of one run consists of. Looks at every path that is handed in: these come from us, a clone's contents do not. */
export async function planBox(spec: SandboxSpec): Promise<BoxPlan> {
  const mounts: Mount[] = OWN_SETTINGS.map((setting) => ({ ...setting, writable: false }));
  mounts.push({ source: process.execPath, target: join(NODE_FOLDER, "node"), writable: false });
  for (const path of spec.readOnly ?? []) {
    mounts.push({ source: await existing(path), target: path, writable: false });
  }
  const git = await gitMount(spec);
  if (spec.writable !== undefined) {
    mounts.push({ source: await ownFolder(spec.writable), target: BOX_FOLDER, writable: true });
    if (git !== undefined) mounts.push(git);
  }
  return {
    mounts,
    maskGit: spec.writable !== undefined && git === undefined,
    temporaryBytes: spec.temporaryBytes ?? SANDBOX_LIMITS.temporaryBytes,
    workingDirectory: spec.workingDirectory ?? (spec.writable === undefined ? "/tmp" : BOX_FOLDER),
    env: spec.env ?? {},
  };
}

/** The folder given for `.git`, or the `.git` that is there already, which a program must not change either. */
async function gitMount(spec: SandboxSpec): Promise<Mount | undefined> {
  if (spec.writable === undefined) return undefined;
  const target = `${BOX_FOLDER}/.git`;
  const present = await kindOf(join(spec.writable, ".git"));
  if (present === "link") throw sandboxFailed("the .git of the writable folder is a symbolic link.");
  if (spec.gitDirectory !== undefined) {
    return { source: await existing(spec.gitDirectory), target, writable: false };
  }
  return present === "absent" ? undefined : { source: join(spec.writable, ".git"), target, writable: false };
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
