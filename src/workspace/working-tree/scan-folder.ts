import {
  chmodSync,
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  type OpenDirOptions,
  opendirSync,
  openSync,
} from "node:fs";
import { chmod, unlink } from "node:fs/promises";
import { ForgeError } from "../../domain/errors.ts";
import { OPEN_TO_READ, readOpen } from "../files/read-beneath.ts";
import { takeTurns } from "../files/turns.ts";
import { type BytePath, isLeftOutName } from "./entries.ts";

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

/** Folders, links and pipes among them, and what is not entered. */
const MOST_ENTRIES = 2 * MOST_FILES;

/** The system takes 4,096 bytes for a path, the folder's own among them; a repository's are far shorter. */
const PATH_BYTES = 3_000;

/**
 * Files and folders looked at in one turn of the event loop. A look that blocks takes 4 µs of it, and one that does not takes 15 and waits
 * for its turn: these folders are of our own making and in use, so the kernel has the answer at hand.
 */
const LOOKED_AT_ONCE = 500;

/**
 * The regular files below a folder of ours. Links are neither files nor ways. The caller holds the folder's lock, so no one swaps a
 * folder for a link meanwhile.
 * @param leaves folders that are not entered, besides those of packages and of git
 * @throws ForgeError `working_tree_unreadable`
 */
export async function scanFolder(root: string, leaves: ReadonlySet<BytePath>): Promise<Map<BytePath, FoundFile>> {
  const files = new Map<BytePath, FoundFile>();
  const folders: BytePath[] = [""];
  const turn = takeTurns({ most: LOOKED_AT_ONCE });
  let seen = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    using folder = await openFolder(diskPath(root, at));
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      const others = turn();
      if (others) await others;
      seen += 1;
      if (seen > MOST_ENTRIES || files.size > MOST_FILES) throw tooMany();
      const name = entry.name.toString("latin1");
      const path = at === "" ? name : `${at}/${name}`;
      if (path.length > PATH_BYTES) continue;
      if (entry.isDirectory() && !isLeftOutName(name) && !leaves.has(path)) folders.push(path);
      if (entry.isFile() && !isLeftOutName(name)) files.set(path, lookAt(diskPath(root, path)));
      // Git would wait for ever at a pipe of this name, when it is asked what is ignored.
      if (entry.isFIFO() && name === ".gitignore") await unlink(diskPath(root, path));
    }
  }
  return files;
}

/** A folder whose names are bytes. */
interface ByteFolder extends Disposable {
  readSync(): Dirent<Buffer> | null;
}

const FOLDER_OPTIONS = { encoding: "buffer", bufferSize: 256 } as unknown as OpenDirOptions;

export function diskPath(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** Read piece by piece: a folder with a million files would hold up everybody. */
async function openFolder(path: Buffer): Promise<ByteFolder> {
  // The types know names as text only.
  const open = () => opendirSync(path as unknown as string, FOLDER_OPTIONS) as unknown as ByteFolder;
  try {
    return open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES") throw error;
  }
  // A program took the right to read away. The folder is ours, and was no link a moment ago.
  await chmod(path, 0o755).catch(() => undefined);
  try {
    return open();
  } catch (cause) {
    throw unreadable("a folder in it cannot be opened", cause);
  }
}

function lookAt(path: Buffer): FoundFile {
  let stats = lstatSync(path, { bigint: true });
  if ((stats.mode & 0o400n) === 0n) {
    makeReadable(path, stats.mode);
    stats = lstatSync(path, { bigint: true });
  }
  return {
    executable: (stats.mode & 0o100n) !== 0n,
    bytes: Number(stats.size),
    stamp: `${stats.ino}.${stats.size}.${stats.mtimeNs}.${stats.ctimeNs}`,
    changedAt: Number(stats.ctimeNs / 1_000_000n),
  };
}

/** As a program may have left a file: reading it then says what is wrong. */
function makeReadable(path: Buffer, mode: bigint): void {
  try {
    chmodSync(path, Number(mode & 0o777n) | 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

function tooMany(): ForgeError {
  return unreadable(`it holds more than ${MOST_FILES.toLocaleString("en-US")} files`);
}

function unreadable(why: string, cause?: unknown): ForgeError {
  const message = `The working tree cannot be read: ${why}.`;
  return new ForgeError("working_tree_unreadable", message, { source: "resource", recoverability: "none", cause });
}

/**
 * The content of a regular file that was just found below the root, at most `maxBytes` of it. The caller holds the folder's lock. Blocks: see
 * `takeTurns`.
 */
export function readFoundFile(root: string, path: BytePath, maxBytes: number): Buffer {
  const file = openSync(diskPath(root, path), OPEN_TO_READ);
  try {
    const stats = fstatSync(file);
    return readOpen(file, stats.isFile() ? Math.min(stats.size, maxBytes) : 0);
  } finally {
    closeSync(file);
  }
}
