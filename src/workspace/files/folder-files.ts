import { ForgeError } from "../../domain/errors.ts";
import type { FolderLock } from "../folder-lock.ts";
import { walkFolder } from "../local/local-files.ts";
import { changeBeneath } from "./change-beneath.ts";
import { type CleanPath, cleanPath } from "./clean-path.ts";
import { NotBeneath, openFolderBeneath } from "./open-beneath.ts";
import { readBeneath, readManyBeneath, refuseObstacle } from "./read-beneath.ts";
import {
  FILE_LIMITS,
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
