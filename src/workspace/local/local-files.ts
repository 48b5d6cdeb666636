import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { lstat, open, opendir, readlink, realpath } from "node:fs/promises";
import { ForgeError } from "../../domain/errors.ts";
import { pathFromBytes, pathToBytes } from "../path-text.ts";

/** Folders that "this folder" does not mean, for where git is not there to say so. */
const LEFT_OUT = new Set([".git", "node_modules", ".hg", ".svn", ".venv", "__pycache__"]);
const MOST_FILES = 200_000;
/** Folders, links and pipes among them. */
const MOST_ENTRIES = 2 * MOST_FILES;

export type LocalContent = Buffer | { readonly skipped: string };

/** Something at a path of a folder, with its mode as git writes it. */
export interface LocalEntry {
  readonly mode: "100644" | "100755" | "120000" | "160000";
  /** Of a link, where it leads. */
  readonly content: LocalContent;
}

/**
 * Paths of all regular files below a folder, with `/` between names, links not followed; sorted.
 * @param whole with links, and with names that are not UTF-8, as `pathFromBytes` writes them
 */
export async function walkFolder(root: string, { whole = false } = {}): Promise<string[]> {
  const files: string[] = [];
  const folders: (Buffer | undefined)[] = [undefined];
  let seen = 0;
  while (folders.length > 0) {
    const at = folders.pop();
    // A folder is read piece by piece: one may hold a million files. Names are bytes, which latin1 keeps one by one.
    for await (const entry of await opendir(placeIn(root, at), { encoding: "latin1" })) {
      seen += 1;
      if (seen > MOST_ENTRIES || files.length > MOST_FILES) throw tooMany(root);
      const name = Buffer.from(entry.name, "latin1");
      // A name that is no text cannot be said to the tools of an agent.
      if (!whole && !isUtf8(name)) continue;
      const path = at === undefined ? name : Buffer.concat([at, SLASH, name]);
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) folders.push(path);
      if (entry.isFile() || (whole && entry.isSymbolicLink()))
        files.push(whole ? pathFromBytes(path) : path.toString());
    }
  }
  return files.sort();
}

/**
 * Reads one file of a folder. A link is never followed, neither as the file itself nor on the way to it: what it points to is not part of
 * the folder. Undefined when there is no regular file of that name any more.
 */
export async function readLocalFile(root: string, path: string, maxBytes: number): Promise<LocalContent | undefined> {
  const entry = await readLocalEntry(root, path, maxBytes);
  return entry?.mode === "100644" || entry?.mode === "100755" ? entry.content : undefined;
}

/** The same of whatever is there: of a link the text of it, of a folder (another checkout, as a submodule is) that it is not read. */
export async function readLocalEntry(root: string, path: string, maxBytes: number): Promise<LocalEntry | undefined> {
  const full = placeIn(root, pathToBytes(path));
  const stats = await lstat(full).catch(() => undefined);
  if (stats?.isDirectory()) return { mode: "160000", content: { skipped: "another checkout" } };
  const folder = full.subarray(0, full.lastIndexOf(SLASH));
  const real = await realpath(folder, "buffer").catch(() => undefined);
  if (stats === undefined || real === undefined || !real.equals(folder)) return undefined;
  if (stats.isSymbolicLink()) {
    const target = await readlink(full, "buffer").catch(() => undefined);
    return { mode: "120000", content: target ?? { skipped: "it could not be read" } };
  }
  if (!stats.isFile()) return undefined;
  const mode = stats.mode & 0o111 ? "100755" : "100644";
  if (stats.size > maxBytes) return { mode, content: { skipped: `larger than the limit (${stats.size} bytes)` } };
  const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!file) return { mode, content: { skipped: "it could not be opened" } };
  try {
    return { mode, content: await file.readFile() };
  } finally {
    await file.close();
  }
}

const SLASH = Buffer.from("/");

function placeIn(root: string, path: Buffer | undefined): Buffer {
  const folder = Buffer.from(root);
  return path === undefined ? folder : Buffer.concat([folder, SLASH, path]);
}

function tooMany(root: string): ForgeError {
  return new ForgeError("folder_too_large", `${root} holds more than ${MOST_FILES} files: name a smaller folder.`, {
    source: "resource",
    recoverability: "manual",
  });
}
