import { lstat, mkdir, mkdtemp, rename, rmdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failure, type WorkspaceFailure } from "../failure.ts";
import { fetchBlobs, objectInfo } from "../fetch-blobs.ts";
import type { ObjectInfo } from "../known-facts.ts";
import type { Mirror } from "../mirror.ts";
import { readBlobsLocked } from "../read-blobs.ts";
import { removeFolder } from "../remove-folder.ts";
import { WRITE_LIMITS } from "../write-head.ts";
import { type BytePath, type Entry, foldersOf, isExecutable, isRegular, isWritable } from "./entries.ts";
import type { PrivateGit } from "./private-git.ts";
import { diskPath } from "./scan-folder.ts";

export interface WritePlan {
  readonly root: string;
  readonly mirror: Mirror;
  readonly git: PrivateGit;
  /** Commits that the mirror must have. */
  readonly needs: readonly string[];
  readonly signal: AbortSignal;
}

/** Contents asked of the server in one request: each request costs a third of a second, however little it brings. */
const FETCHED_AT_ONCE = 5_000;
const MEBI = 1024 * 1024;

/**
 * Writes the regular files among the entries below the root, over whatever stands there. The caller holds the folder's lock.
 * @returns the paths of regular files that were not written: too large, not given by the server, or no name for a disk
 * @throws ForgeError `working_tree_unavailable`
 */
export async function writeEntries(plan: WritePlan, entries: Iterable<[BytePath, Entry]>): Promise<Set<BytePath>> {
  const files = [...entries].filter(([, entry]) => isRegular(entry));
  const unwritten = new Set(files.map(([path]) => path));
  const writable = files.filter(([path]) => isWritable(path));
  const sizes = await bringContents(plan, [...new Set(writable.map(([, { sha }]) => sha))]);
  const small = writable.filter(([, { sha }]) => (sizes.get(sha)?.bytes ?? Infinity) <= WRITE_LIMITS.fileBytes);
  for (const batch of batchesOf(small, sizes)) {
    plan.signal.throwIfAborted();
    const contents = await readContents(plan, [...new Set(batch.map(([, { sha }]) => sha))]);
    const placed = batch.flatMap(([path, entry]) => {
      const content = contents.get(entry.sha);
      return content === undefined ? [] : [{ path, executable: isExecutable(entry), content }];
    });
    for (const path of await placeFiles(plan.root, placed)) unwritten.delete(path);
  }
  return unwritten;
}

/** Fetches what neither the mirror nor the private repository has, and tells what is there then. */
async function bringContents({ mirror, git, needs, signal }: WritePlan, shas: readonly string[]) {
  const { objects } = await git.hold(needs, async () => {
    const present = await objectInfo(git.asMirror, shas);
    if (!present.ok) return present;
    const missing = shas.filter((sha) => !present.objects.has(sha));
    for (let at = 0; at < missing.length; at += FETCHED_AT_ONCE) {
      const fetched = await fetchBlobs(mirror, missing.slice(at, at + FETCHED_AT_ONCE), signal);
      // What the server does not give stays unwritten; the others are there.
      if (!fetched.ok && fetched.reason !== "missing commit") return fetched;
    }
    return withinTotal(missing.length === 0 ? present : await objectInfo(git.asMirror, shas));
  });
  return objects;
}

function withinTotal<T extends { ok: true; objects: ReadonlyMap<string, ObjectInfo> }>(found: T | WorkspaceFailure) {
  if (!found.ok) return found;
  const total = [...found.objects.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= WRITE_LIMITS.totalBytes) return found;
  return failure("too large", `The repository's files have more than ${WRITE_LIMITS.totalBytes / MEBI} MB.`);
}

/** As many files as may be held in memory at once. */
function batchesOf(files: readonly [BytePath, Entry][], sizes: ReadonlyMap<string, ObjectInfo>) {
  const batches: [BytePath, Entry][][] = [];
  let bytes = Infinity;
  for (const file of files) {
    bytes += sizes.get(file[1].sha)?.bytes ?? 0;
    const batch = batches.at(-1);
    if (batch === undefined || bytes > WRITE_LIMITS.batchBytes || batch.length >= WRITE_LIMITS.batchFiles) {
      batches.push([file]);
      bytes = sizes.get(file[1].sha)?.bytes ?? 0;
    } else batch.push(file);
  }
  return batches;
}

async function readContents({ git, needs, signal }: WritePlan, shas: readonly string[]) {
  const { blobs } = await git.hold(needs, () =>
    readBlobsLocked(
      git.asMirror,
      shas.map((sha) => ({ sha })),
      { limits: { maxBlobBytes: WRITE_LIMITS.fileBytes, maxTotalBytes: WRITE_LIMITS.batchBytes }, signal },
    ),
  );
  return new Map(blobs.flatMap((blob) => ("content" in blob ? [[blob.sha, blob.content] as const] : [])));
}

interface PlacedFile {
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
async function placeFiles(root: string, files: readonly PlacedFile[]): Promise<BytePath[]> {
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
