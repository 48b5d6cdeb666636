import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { ForgeError } from "../../domain/errors.ts";

/** Folders nobody means when they say "this folder", where git is not there to say so. */
const LEFT_OUT = new Set([".git", "node_modules", ".hg", ".svn", ".venv", "__pycache__"]);
const MOST_FILES = 200_000;

export type LocalContent = Buffer | { readonly skipped: string };

/** Paths of all regular files below a folder, with `/` between names, links not followed; sorted. */
export async function walkFolder(root: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [""];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of await readdir(join(root, at), { withFileTypes: true })) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) folders.push(path);
      if (entry.isFile()) files.push(path);
      if (files.length > MOST_FILES) throw tooMany(root);
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
