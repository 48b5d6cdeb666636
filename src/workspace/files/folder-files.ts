import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import type { FolderLock } from "../folder-lock.ts";
import { walkFolder } from "../local/local-files.ts";
import { type CleanPath, cleanPath, refuseNewName } from "./clean-path.ts";
import { NotBeneath, openFolderBeneath } from "./open-beneath.ts";
import { readBeneath, readManyBeneath, refuseObstacle } from "./read-beneath.ts";
import {
  FILE_LIMITS,
  type FileChange,
  type FileList,
  type FileRefusal,
  type RepositoryFiles,
  refuseFile,
  type WorkFiles,
} from "./repository-files.ts";
import { searchFolder } from "./search-folder.ts";

export interface FolderSpec {
  /** Absolute, and no link itself. */
  readonly root: string;
  /** Shared by everybody who reads, changes or runs something in this folder. */
  readonly lock: FolderLock;
  /** Where git knows better than a walk what belongs to the repository. */
  readonly list?: () => Promise<Listing>;
}

export type Listing = Pick<FileList, "paths" | "ids">;

const LISTED = 100_000;

/** The files of a folder. Each call holds the folder's lock, so none runs beside a program of the sandbox. */
export function openFolderFiles({ root, lock, list }: FolderSpec): WorkFiles {
  const read: RepositoryFiles["read"] = async (path, signal) => {
    const clean = cleanPath(path);
    if (!clean.ok) return clean;
    return lock.shared(signal, () => readBeneath(root, clean, FILE_LIMITS.readBytes));
  };
  return {
    read,
    readMany: (paths, signal, bytes = FILE_LIMITS.readBytes) => {
      const clean = paths.map(cleanPath).filter((path): path is CleanPath => path.ok && path.parts.length > 0);
      const limits = { bytes, totalBytes: FILE_LIMITS.readManyBytes };
      return lock.shared(signal, () => readManyBeneath(root, clean, limits));
    },
    list: (signal) =>
      lock.shared(signal, async () => {
        const found = await listed(root, list);
        if (typeof found === "string") return refuseFile("unavailable", `The files cannot be listed: ${found}.`);
        const clean = found.paths.filter((path) => cleanPath(path).ok);
        return { ...found, ok: true, paths: clean.slice(0, LISTED), truncated: clean.length > LISTED };
      }),
    search: async (query, signal) => {
      const within = cleanPath(query.within);
      if (!within.ok) return within;
      return lock.shared(signal, async () => {
        const refused = await refusePlace(root, within);
        return refused ?? searchFolder(root, { ...query, within: within.path }, signal);
      });
    },
    change: (changes, signal) => lock.exclusive(signal, () => changeBeneath(root, changes)),
  };
}

/** A program of the sandbox may have left more files, or folders deeper, than can be walked. */
async function listed(root: string, list: FolderSpec["list"]): Promise<Listing | string> {
  try {
    return list === undefined ? { paths: await walkFolder(root) } : await list();
  } catch (error) {
    if (error instanceof ForgeError && error.code === "folder_too_large") return "there are too many";
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENAMETOOLONG" || code === "EACCES") return `a folder cannot be opened, ${code}`;
    throw error;
  }
}

/** Ripgrep would follow a link that it is pointed at, and wait at a pipe. */
async function refusePlace(root: string, place: CleanPath): Promise<FileRefusal | undefined> {
  try {
    await using _folder = await openFolderBeneath(root, place.parts);
    return undefined;
  } catch (error) {
    if (!(error instanceof NotBeneath)) throw error;
    if (error.kind !== "not a folder" || error.path !== place.path) return refuseObstacle(error, place.path);
    const file = await readBeneath(root, place, FILE_LIMITS.readBytes);
    return file.ok ? undefined : file;
  }
}

interface CheckedChange extends FileChange {
  readonly clean: CleanPath;
}

/**
 * Makes all changes below the root or none of them. Everything is looked at before anything is written; a write that fails all the same
 * (a full disk) has the earlier ones undone. New content comes in by renaming, so nothing is ever seen half written, and a file that is
 * linked to from elsewhere is replaced, not written through.
 */
async function changeBeneath(
  root: string,
  changes: readonly FileChange[],
): Promise<{ readonly ok: true } | FileRefusal> {
  if (changes.length > FILE_LIMITS.changes) {
    return refuseFile("too large", `At most ${FILE_LIMITS.changes} files can be changed at once.`);
  }
  const checked: CheckedChange[] = [];
  for (const change of changes) {
    const clean = cleanPath(change.path);
    if (!clean.ok) return clean;
    const refused = refuseTwice(clean, checked) ?? (await refuseChange(root, clean, change));
    if (refused !== undefined) return refused;
    checked.push({ ...change, clean });
  }
  const done: CheckedChange[] = [];
  try {
    for (const change of checked) {
      await replace(root, change.clean, change.content, change.before === undefined);
      done.push(change);
    }
  } catch (error) {
    for (const { clean, before } of done.reverse()) await replace(root, clean, before, false);
    if (error instanceof NotBeneath) return refuseObstacle(error, changes[done.length]?.path ?? "");
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return refuseFile("not written", `Nothing was changed: the file system refused it (${code}).`);
  }
  return { ok: true };
}

function refuseTwice({ path }: CleanPath, earlier: readonly CheckedChange[]): FileRefusal | undefined {
  if (earlier.every(({ clean }) => clean.path !== path)) return undefined;
  return refuseFile("invalid path", `${JSON.stringify(path)} is named twice: give each file once.`);
}

async function refuseChange(root: string, clean: CleanPath, change: FileChange): Promise<FileRefusal | undefined> {
  const shown = JSON.stringify(clean.path);
  if ((change.content?.length ?? 0) > FILE_LIMITS.writeBytes) {
    return refuseFile(
      "too large",
      `${shown} would have more than ${FILE_LIMITS.writeBytes.toLocaleString("en-US")} bytes.`,
    );
  }
  const now = await readBeneath(root, clean, FILE_LIMITS.readBytes);
  if (!now.ok && now.reason !== "not found") return now;
  if (change.before === undefined) {
    if (now.ok) return refuseFile("exists", `${shown} exists already: read it first, then edit it.`);
    return refuseNewName(clean);
  }
  if (!now.ok) return now;
  if (!now.content.equals(change.before)) {
    return refuseFile("changed", `${shown} has changed since it was read: read it again, then repeat the edit.`);
  }
  return undefined;
}

async function replace(root: string, { parts }: CleanPath, content: Buffer | undefined, isNew: boolean): Promise<void> {
  const name = parts.at(-1) ?? "";
  await using folder = await openFolderBeneath(root, parts.slice(0, -1), { create: isNew });
  const full = join(folder.at, name);
  if (content === undefined) {
    // Awaited here: the folder is closed when this returns.
    await unlink(full);
    return;
  }
  const mode = await lstat(full).then(
    (stats) => stats.mode & 0o777,
    () => 0o644,
  );
  const fresh = join(folder.at, `.forge-${randomUUID()}`);
  await using file = await open(
    fresh,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    mode,
  );
  try {
    await file.chmod(mode);
    await file.writeFile(content);
    await rename(fresh, full);
  } catch (error) {
    await unlink(fresh).catch(() => undefined);
    throw error;
  }
}
