import { chmod, lstat, readdir, unlink } from "node:fs/promises";
import { ForgeError } from "../../domain/errors.ts";
import type { BytePath } from "./entries.ts";
import { isLeftOutName } from "./left-out.ts";

export interface FoundFile {
  readonly executable: boolean;
  readonly bytes: number;
  /** Changes whenever the content may have changed: the kernel sets one of its parts, and no program can set it back. */
  readonly stamp: string;
  /** When the kernel last noted a change, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** A build may leave many files; this many are no repository any more. */
const MOST_FILES = 200_000;

/** The system takes 4,096 bytes for a path, the folder's own among them; a repository's are far shorter. */
const PATH_BYTES = 3_000;

/**
 * The regular files below a folder of ours. Links are neither files nor ways. The caller holds the folder's lock, so nobody swaps a
 * folder for a link meanwhile.
 * @param leaves folders that are not entered, besides those of packages and of git
 * @throws ForgeError `working_tree_unreadable`
 */
export async function scanFolder(root: string, leaves: ReadonlySet<BytePath>): Promise<Map<BytePath, FoundFile>> {
  const files = new Map<BytePath, FoundFile>();
  const folders: BytePath[] = [""];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readFolder(diskPath(root, at));
    const looked = entries.map(async (entry) => {
      const name = entry.name.toString("latin1");
      const path = at === "" ? name : `${at}/${name}`;
      if (path.length > PATH_BYTES) return;
      if (entry.isDirectory() && !isLeftOutName(name) && !leaves.has(path)) folders.push(path);
      if (entry.isFile() && !isLeftOutName(name)) files.set(path, await lookAt(diskPath(root, path)));
      // Git would wait for ever at a pipe of this name, when it is asked what is ignored.
      if (entry.isFIFO() && name === ".gitignore") await unlink(diskPath(root, path));
    });
    await Promise.all(looked);
    if (files.size > MOST_FILES) throw unreadable(`it holds more than ${MOST_FILES.toLocaleString("en-US")} files`);
  }
  return files;
}

export function diskPath(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

async function readFolder(path: Buffer) {
  const read = () => readdir(path, { encoding: "buffer", withFileTypes: true });
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES") throw error;
  }
  // A program took the right to read away. The folder is ours, and was no link a moment ago.
  await chmod(path, 0o755).catch(() => undefined);
  return read().catch((cause: unknown) => {
    throw unreadable("a folder in it cannot be opened", cause);
  });
}

async function lookAt(path: Buffer): Promise<FoundFile> {
  let stats = await lstat(path, { bigint: true });
  if ((stats.mode & 0o400n) === 0n) {
    await chmod(path, Number(stats.mode & 0o777n) | 0o600).catch(() => undefined);
    stats = await lstat(path, { bigint: true });
  }
  return {
    executable: (stats.mode & 0o100n) !== 0n,
    bytes: Number(stats.size),
    stamp: [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join("."),
    changedAt: Number(stats.ctimeNs / 1_000_000n),
  };
}

function unreadable(why: string, cause?: unknown): ForgeError {
  const message = `The working tree cannot be read: ${why}.`;
  return new ForgeError("working_tree_unreadable", message, { source: "resource", recoverability: "none", cause });
}
