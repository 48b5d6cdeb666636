import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { createFolderLock } from "../folder-lock.ts";
import type { Mirror } from "../mirror.ts";
import { type Blob, readBlobs } from "../read-blobs.ts";
import { listTree } from "../read-tree.ts";
import { writeHead } from "../write-head.ts";
import { cleanPath } from "./clean-path.ts";
import { openFolderFiles } from "./folder-files.ts";
import {
  FILE_LIMITS,
  type FileContent,
  type FileRefusal,
  type RepositoryFiles,
  refuseFile,
} from "./repository-files.ts";

export interface CommitSpec {
  readonly mirror: Mirror;
  readonly commit: string;
  /** An empty folder of ours: the files are written there when somebody searches for the first time. */
  readonly scratch: string;
}

/** The files of a commit, read from git's objects. Nothing can be changed, and no work tree is needed but for searching. */
export function openCommitFiles({ mirror, commit, scratch }: CommitSpec): RepositoryFiles {
  let listing: ReturnType<RepositoryFiles["list"]> | undefined;
  let written: Promise<RepositoryFiles | FileRefusal> | undefined;

  const write = async (signal: AbortSignal): Promise<RepositoryFiles | FileRefusal> => {
    // A new one each time: an attempt that was stopped half way leaves files that a second one would not write over.
    const root = await mkdtemp(join(scratch, "search-"));
    const head = await writeHead(mirror, commit, root, signal);
    if (!head.ok) return refuseFile("unavailable", `The files could not be written for searching: ${head.detail}`);
    return openFolderFiles({ root, lock: createFolderLock() });
  };

  return {
    read: async (path, signal) => {
      const clean = cleanPath(path);
      if (!clean.ok) return clean;
      if (clean.parts.length === 0) return refuseFile("not a file", "That is the root of the repository: name a file.");
      const limits = { maxBlobBytes: FILE_LIMITS.readBytes, maxTotalBytes: FILE_LIMITS.readBytes };
      const read = await readBlobs(mirror, [{ commit, path: clean.path }], { limits, signal });
      if (!read.ok) return refuseFile("unavailable", `${JSON.stringify(clean.path)} could not be read: ${read.detail}`);
      return contentOf(read.blobs[0], clean.path);
    },
    readMany: async (paths, signal, maxBlobBytes = FILE_LIMITS.readBytes) => {
      const clean = paths.map(cleanPath).flatMap((each) => (each.ok && each.path !== "" ? [each.path] : []));
      const limits = { maxBlobBytes, maxTotalBytes: FILE_LIMITS.readManyBytes };
      const requests = clean.map((path) => ({ commit, path }));
      const read = await readBlobs(mirror, requests, { limits, signal });
      const contents = new Map<string, Buffer>();
      for (const [index, blob] of (read.ok ? read.blobs : []).entries()) {
        const path = clean[index];
        if (path !== undefined && "content" in blob) contents.set(path, blob.content);
      }
      return contents;
    },
    list: (signal) => {
      listing ??= kept(listFiles(mirror, commit, signal), () => {
        listing = undefined;
      });
      return listing;
    },
    search: async (query, signal) => {
      written ??= kept(write(signal), () => {
        written = undefined;
      });
      const files = await written;
      return "ok" in files ? files : files.search(query, signal);
    },
  };
}

/** Failures are not kept: the next call asks again. */
async function kept<T extends object>(work: Promise<T>, forget: () => void): Promise<T> {
  try {
    const outcome = await work;
    if ("ok" in outcome && outcome.ok === false) forget();
    return outcome;
  } catch (error) {
    forget();
    throw error;
  }
}

async function listFiles(mirror: Mirror, commit: string, signal: AbortSignal) {
  const tree = await listTree(mirror, commit, { signal });
  if (!tree.ok) return refuseFile("unavailable", `The files could not be listed: ${tree.detail}`);
  const paths = tree.entries.filter(({ kind }) => kind === "file").map(({ path }) => path);
  return { ok: true, paths: paths.sort(), truncated: tree.truncated } as const;
}

function contentOf(blob: Blob | undefined, path: string): FileContent | FileRefusal {
  const shown = JSON.stringify(path);
  if (blob === undefined) return refuseFile("not found", `There is no file ${shown}.`);
  if (!("skipped" in blob)) return { ok: true, content: blob.content };
  switch (blob.skipped) {
    case "missing":
      return refuseFile("not found", `There is no file ${shown}: look for it with glob or list_files.`);
    case "not a file":
      return refuseFile("not a file", `${shown} is a folder, a symbolic link or a submodule, which are not read.`);
    case "unavailable":
      return refuseFile("unavailable", `The server does not give the content of ${shown}.`);
    case "too large":
    case "total reached":
      return refuseFile(
        "too large",
        `${shown} has ${blob.bytes.toLocaleString("en-US")} bytes: find the lines with grep.`,
      );
  }
}
