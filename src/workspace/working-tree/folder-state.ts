import { ForgeError } from "../../domain/errors.ts";
import { takeTurns } from "../files/turns.ts";
import { pathFromBytes } from "../path-text.ts";
import { WRITE_LIMITS } from "../write-head.ts";
import type { BelongingFiles } from "./belonging-files.ts";
import { type BytePath, type Entries, type Entry, foldersOf, isExecutable, isLeftOut, isRegular } from "./entries.ts";
import { gitObject } from "./git-object.ts";
import { type FoundFile, readFoundFile } from "./scan-folder.ts";

/** State kept of a folder between two scans. */
export interface FolderMemory {
  /** Ids of contents that were read, by path, and what the file looked like then. */
  readonly hashes: Map<BytePath, { readonly stamp: string; readonly sha: string }>;
}

export interface Tracked {
  /** Entries of the last commit. */
  readonly entries: Entries;
  /** Regular files of it that were not written to disk: too large, not given by the server, or with a name that no disk should get. */
  readonly unwritten: ReadonlySet<BytePath>;
}

/**
 * A file system notes changes by a clock with steps: within one, a second change leaves the file's looks as they were. The steps are a
 * second long where it notes no parts of one, and the kernel's elsewhere: 10 ms at most.
 */
const CLOCK_STEP_MS = { coarse: 1_000, fine: 100 } as const;

/** The files of the folder that belong to the repository. */
export interface Found {
  readonly root: string;
  readonly files: BelongingFiles;
  readonly signal: AbortSignal;
}

/**
 * The entries of a commit of the folder as it is now: its regular files, and of the last commit those entries that are never on disk (links,
 * submodules, what was not written, tracked files in folders of packages), which stay as they are. Left out is what `belongingFiles` leaves
 * out, also where somebody wrote it on purpose. A tracked file that became a link is gone, as nothing is read through links. The caller
 * holds the folder's lock.
 * @throws ForgeError `working_tree_too_large` for a tracked file that grew over the limit
 */
export async function readFolderState(
  found: Found,
  { entries: before, unwritten }: Tracked,
  memory: FolderMemory,
): Promise<Map<BytePath, Entry>> {
  const started = Date.now();
  const entries = new Map<BytePath, Entry>();
  const turn = takeTurns();
  for (const [path, file] of found.files) {
    let sha = knownId(memory, path, file);
    if (sha === undefined) {
      sha = hashOf(found.root, path, file, memory, started);
      await turn(file.bytes);
      found.signal.throwIfAborted();
    }
    entries.set(path, { mode: modeOf(file, before.get(path)), sha });
  }
  keepUnseen(entries, before, unwritten);
  return entries;
}

function hashOf(root: string, path: BytePath, file: FoundFile, memory: FolderMemory, started: number): string {
  if (file.bytes > WRITE_LIMITS.fileBytes) throw tooLarge(path, file.bytes);
  const { sha } = gitObject("blob", readFoundFile(root, path, file.bytes));
  if (isSettled(file, started)) memory.hashes.set(path, { stamp: file.stamp, sha });
  else memory.hashes.delete(path);
  return sha;
}

/** Whether a later change will show. */
function isSettled({ changedAt }: FoundFile, now: number): boolean {
  const isFine = changedAt % CLOCK_STEP_MS.coarse !== 0;
  return changedAt < now - (isFine ? CLOCK_STEP_MS.fine : CLOCK_STEP_MS.coarse);
}

/** The id of what a file holds, where that is known without reading it. */
export function knownId({ hashes }: FolderMemory, path: BytePath, { stamp }: FoundFile): string | undefined {
  const known = hashes.get(path);
  return known?.stamp === stamp ? known.sha : undefined;
}

/** The mode as the repository has it, unless what it says of running the file is no longer so. */
function modeOf({ executable }: FoundFile, before: Entry | undefined): string {
  if (before !== undefined && isRegular(before) && isExecutable(before) === executable) return before.mode;
  return executable ? "100755" : "100644";
}

/** A file that was put in the place of a link, or a folder in its place, replaces it; a submodule's place holds nothing else. */
function keepUnseen(entries: Map<BytePath, Entry>, before: Entries, unwritten: ReadonlySet<BytePath>): void {
  const folders = new Set([...entries.keys()].flatMap(foldersOf));
  for (const [path, entry] of before) {
    if (entries.has(path) || folders.has(path)) continue;
    if (isRegular(entry) && !unwritten.has(path) && !isLeftOut(path)) continue;
    if (foldersOf(path).every((folder) => !entries.has(folder))) entries.set(path, entry);
  }
}

function tooLarge(path: BytePath, bytes: number): ForgeError {
  const shown = JSON.stringify(pathFromBytes(Buffer.from(path, "latin1")));
  const sizes = `${bytes.toLocaleString("en-US")} bytes, and at most ${WRITE_LIMITS.fileBytes.toLocaleString("en-US")} are kept`;
  return new ForgeError("working_tree_too_large", `The file ${shown} has grown to ${sizes}.`, {
    source: "resource",
    recoverability: "none",
  });
}
