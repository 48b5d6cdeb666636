import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import type { CleanPath } from "./clean-path.ts";
import { NotBeneath, openFolderBeneath } from "./open-beneath.ts";
import { type FileContent, type FileRefusal, refuseFile } from "./repository-files.ts";
import { takeTurns } from "./turns.ts";

/** Reads one regular file below the root; links, folders, devices, sockets and pipes are refused by name. */
export async function readBeneath(
  root: string,
  { path, parts }: CleanPath,
  maxBytes: number,
): Promise<FileContent | FileRefusal> {
  const name = parts.at(-1);
  if (name === undefined)
    return refuseFile("not a file", "That is the root of the repository: name a file, or list it.");
  try {
    await using folder = await openFolderBeneath(root, parts.slice(0, -1));
    return readIn(folder.at, name, path, maxBytes);
  } catch (error) {
    if (error instanceof NotBeneath) return refuseObstacle(error, path);
    throw error;
  }
}

/** Several files, each folder opened once; what is refused, or goes beyond the limit for all, is left out. */
export async function readManyBeneath(
  root: string,
  paths: readonly CleanPath[],
  limits: { readonly bytes: number; readonly totalBytes: number },
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  let total = 0;
  const turn = takeTurns();
  const folders = Map.groupBy(paths, ({ parts }) => parts.slice(0, -1).join("/"));
  for (const files of folders.values()) {
    await using folder = await heldFolder(root, files[0]?.parts.slice(0, -1) ?? []);
    if (folder === undefined) continue;
    for (const { path, parts } of files) {
      const file = readIn(folder.at, parts.at(-1) ?? "", path, limits.bytes);
      await turn(file.ok ? file.content.length : 0);
      if (!file.ok) continue;
      total += file.content.length;
      if (total > limits.totalBytes) return contents;
      contents.set(path, file.content);
    }
  }
  return contents;
}

async function heldFolder(root: string, names: readonly string[]) {
  return openFolderBeneath(root, names).catch((error: unknown) => {
    if (error instanceof NotBeneath) return undefined;
    throw error;
  });
}

/** Blocks: see `takeTurns`. */
function readIn(folder: string, name: string, path: string, maxBytes: number): FileContent | FileRefusal {
  const full = join(folder, name);
  const stats = unless(["ENOENT", "ENAMETOOLONG"], () => lstatSync(full));
  const shown = JSON.stringify(path);
  if (stats === undefined)
    return refuseFile("not found", `There is no file ${shown}: look for it with glob or list_files.`);
  if (stats.isSymbolicLink()) {
    const target = JSON.stringify(readlinkSync(full).slice(0, 200));
    return refuseFile(
      "link",
      `${shown} is a symbolic link (to ${target}), and links are not followed: name the file itself.`,
    );
  }
  if (stats.isDirectory()) return refuseFile("not a file", `${shown} is a folder: use list_files for it.`);
  if (!stats.isFile()) return refuseFile("not a file", `${shown} is a device, a socket or a pipe and cannot be read.`);
  if (stats.size > maxBytes) return refuseFile("too large", tooLarge(shown, stats.size, maxBytes));
  const file = unless(["EACCES", "ELOOP", "ENXIO"], () => openSync(full, OPEN_TO_READ));
  if (file === undefined) return refuseFile("not a file", `${shown} cannot be opened.`);
  try {
    if (!fstatSync(file).isFile()) return refuseFile("not a file", `${shown} is no regular file.`);
    // As many bytes as it had and one more shows whether it grew.
    const content = readOpen(file, stats.size + 1);
    if (content.length > stats.size) return refuseFile("changed", `${shown} grew while it was read: try again.`);
    return { ok: true, content };
  } finally {
    closeSync(file);
  }
}

/** Undefined where it ends with one of these errors of the system. */
function unless<T>(codes: readonly string[], look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return undefined;
  }
}

export function refuseObstacle({ kind, path: where }: NotBeneath, path: string): FileRefusal {
  const shown = JSON.stringify(path);
  const at = JSON.stringify(where);
  if (kind === "missing") return refuseFile("not found", `There is no file ${shown}: the folder ${at} does not exist.`);
  if (kind === "link")
    return refuseFile("link", `${at} is a symbolic link, and links are not followed: name the real path of ${shown}.`);
  return refuseFile("not found", `There is no file ${shown}: ${at} is not a folder.`);
}

function tooLarge(shown: string, bytes: number, maxBytes: number): string {
  return `${shown} has ${bytes.toLocaleString("en-US")} bytes, and at most ${maxBytes.toLocaleString("en-US")} are read: find the lines with grep.`;
}

/** How files that are not ours are opened: never through a link, and never waiting for the other end of a pipe. */
export const OPEN_TO_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The contents of an open file, at most `bytes`: a growing file has no end. Blocks: see `takeTurns`. */
export function readOpen(file: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes; length += read) {
    read = readSync(file, buffer, length, bytes - length, null);
  }
  return buffer.subarray(0, length);
}
