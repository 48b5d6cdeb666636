import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { acquireFileLock } from "./file-lock.ts";
import { MIRROR_LIMITS } from "./limits.ts";
import { type MirrorPlaces, mirrorPlaces } from "./mirror-directory.ts";

export interface PruneReport {
  /** Ids of the repositories whose mirrors were removed, least recently used first. */
  readonly removed: readonly string[];
  /** Bytes of all mirrors that are left. */
  readonly bytes: number;
}

/** DATA-2: removes the least recently used mirrors until the rest fits. One that is in use stays, whatever its size. */
export async function pruneMirrors(root: string, maxBytes: number = MIRROR_LIMITS.totalBytes): Promise<PruneReport> {
  const mirrors = await Promise.all((await namesOf(root)).map((id) => measure(root, id)));
  mirrors.sort((one, other) => one.usedAt - other.usedAt);
  let bytes = mirrors.reduce((sum, mirror) => sum + mirror.bytes, 0);
  const removed: string[] = [];
  for (const mirror of mirrors) {
    if (bytes <= maxBytes) break;
    // One that cannot be removed, whatever is wrong with it, does not keep the others.
    if (!(await removeMirror(mirror.places).catch(() => false))) continue;
    removed.push(mirror.repositoryId);
    bytes -= mirror.bytes;
  }
  return { removed, bytes };
}

async function removeMirror(places: MirrorPlaces): Promise<boolean> {
  const release = await acquireFileLock(places.lock, { waitMs: 0 });
  if (release === undefined) return false;
  const { gitDirectory, used, fetching, suspect, learnt } = places;
  // The mark of a killed fetch comes first: a removal that is itself killed is then repaired like one.
  try {
    await Promise.all(
      [gitDirectory, `${gitDirectory}.doomed`].map((path) => rm(path, { recursive: true, force: true })),
    );
    await Promise.all([used, fetching, suspect, learnt].map((path) => rm(path, { force: true })));
  } finally {
    await release();
  }
  // Refused by the file system when somebody has begun to use it again meanwhile, and that is right.
  await rmdir(places.directory).catch(() => undefined);
  return true;
}

async function measure(root: string, repositoryId: string) {
  const places = mirrorPlaces(root, repositoryId);
  const usedAt = await stat(places.used).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return { repositoryId, places, usedAt, bytes: await bytesUnder(places.directory) };
}

async function bytesUnder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = entries.map((entry) =>
    entry.isFile()
      ? stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        )
      : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function namesOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}
