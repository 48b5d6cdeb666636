import { lstat, mkdir, mkdtemp, rename, rmdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../remove-folder.ts";
import { type BytePath, foldersOf } from "./entries.ts";
import { diskPath } from "./scan-folder.ts";

export interface PlacedFile {
  readonly path: BytePath;
  readonly executable: boolean;
  readonly content: Buffer;
}

const WRITTEN_AT_ONCE = 16;

/**
 * Writes files of one tree below the root, whatever stands in their way: a link or a file where a folder has to be, anything where a file
 * has to be. Nothing is written through a link. The caller holds the folder's lock.
 * @returns the paths that were written: the others have names that the file system does not take
 */
export async function placeFiles(root: string, files: readonly PlacedFile[]): Promise<BytePath[]> {
  const refused = new Set<BytePath>();
  for (const folder of new Set(files.flatMap(({ path }) => foldersOf(path)))) {
    if (!(await taken(makeFolder(diskPath(root, folder))))) refused.add(folder);
  }
  const written: BytePath[] = [];
  for (let at = 0; at < files.length; at += WRITTEN_AT_ONCE) {
    const batch = files.slice(at, at + WRITTEN_AT_ONCE);
    const placeable = batch.filter(({ path }) => !foldersOf(path).some((folder) => refused.has(folder)));
    const done = await Promise.all(placeable.map((file) => taken(placeFile(root, file))));
    written.push(...placeable.filter((_, index) => done[index]).map(({ path }) => path));
  }
  return written;
}

async function placeFile(root: string, { path, executable, content }: PlacedFile): Promise<void> {
  const full = diskPath(root, path);
  // A new file each time: the old one may be linked to from elsewhere. Mostly nothing is there, and looking first takes as long as writing.
  const create = () => writeFile(full, content, { flag: "wx", mode: executable ? 0o755 : 0o644 });
  await create().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    await clearPlace(root, full);
    await create();
  });
}

/** A folder is moved out first: a name that is no text cannot be said to a program, and what stands in it may be endless. */
async function clearPlace(root: string, path: Buffer): Promise<void> {
  if ((await kindOf(path)) !== "folder") return unlink(path);
  const displaced = await mkdtemp(`${root}-displaced-`);
  await rename(path, join(displaced, "folder"));
  await removeFolder(displaced);
}

function taken(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENAMETOOLONG") throw error;
      return false;
    },
  );
}

/** Removes a file below the root, and the folders that are empty then. What is a link on the way is left alone. */
export async function removeFile(root: string, path: BytePath): Promise<void> {
  const folders = foldersOf(path);
  for (const folder of folders) if ((await kindOf(diskPath(root, folder))) !== "folder") return;
  const kind = await kindOf(diskPath(root, path));
  if (kind === "other") await unlink(diskPath(root, path));
  for (const folder of folders.reverse()) {
    const removed = await rmdir(diskPath(root, folder)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

async function makeFolder(path: Buffer): Promise<void> {
  const kind = await kindOf(path);
  if (kind === "folder") return;
  if (kind === "other") await unlink(path);
  await mkdir(path);
}

async function kindOf(path: Buffer): Promise<"absent" | "folder" | "other"> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (stats === undefined) return "absent";
  return stats.isDirectory() ? "folder" : "other";
}
