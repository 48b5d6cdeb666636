import { constants } from "node:fs";
import { lstat, open, opendir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { ForgeError } from "../../domain/errors.ts";

/** Folders nobody means when they say "this folder", where git is not there to say so. */
const LEFT_OUT = new Set([".git", "node_modules", ".hg", ".svn", ".venv", "__pycache__"]);
const MOST_FILES = 200_000;
/** Folders, links and pipes among them. */
const MOST_ENTRIES = 2 * MOST_FILES;

export type LocalContent = Buffer | { readonly skipped: string };

/** Paths of all regular files below a folder, with `/` between names, links not followed; sorted. */
export async function walkFolder(root: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [""];
  let seen = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    // A folder is read piece by piece: one may hold a million files.
    for await (const entry of await opendir(join(root, at))) {
      seen += 1;
      if (seen > MOST_ENTRIES || files.length > MOST_FILES) throw tooMany(root);
      // A name that is no text cannot be said, neither by people nor to the system.
      if (entry.name.includes("\ufffd")) continue;
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) folders.push(path);
      if (entry.isFile()) files.push(path);
    }
  }
  return files.sort();
}

/**
 * Reads one file of a folder. A link is never followed, neither as the file itself nor on the way to it: what it points to is not part of
 * the folder. Undefined when there is no regular file of that name any more.
 */
export async function readLocalFile(root: string, path: string, maxBytes: number): Promise<LocalContent | undefined> {
  const full = join(root, path);
  const stats = await lstat(full).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  const real = await realpath(full).catch(() => undefined);
  if (real === undefined || !real.startsWith(root + sep) || real !== full) return undefined;
  if (stats.size > maxBytes) return { skipped: `larger than the limit (${stats.size} bytes)` };
  const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!file) return { skipped: "it could not be opened" };
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function tooMany(root: string): ForgeError {
  return new ForgeError("folder_too_large", `${root} holds more than ${MOST_FILES} files: name a smaller folder.`, {
    source: "resource",
    recoverability: "manual",
  });
}
