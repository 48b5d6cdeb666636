import { realpath } from "node:fs/promises";
import { defined } from "../domain/defined.ts";
import { type Listing, openFolderFiles } from "./files/folder-files.ts";
import type { WorkFiles } from "./files/repository-files.ts";
import { createFolderLock, type FolderLock } from "./folder-lock.ts";
import { layPackages } from "./install/lay-packages.ts";
import type { Sandbox, SandboxResult, SandboxSpec } from "./sandbox/sandbox.ts";
import { LOADER_FOLDERS } from "./typescript-loader.ts";

export interface CloneSpec {
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly list?: () => Promise<Listing>;
  /** Folders elsewhere that programs may read, such as the packages of the repository where they are installed. */
  readonly readOnly?: readonly string[];
  /** Shared with other users of this folder; the clone's own when not given. */
  readonly lock?: FolderLock;
}

/** A folder with a repository's files, and the only two ways to touch it: file tools and programs in the sandbox, never both at once. */
export interface Clone {
  readonly files: WorkFiles;
  /**
   * Runs a program with the clone writable, when all file tools are done and before the next ones start.
   * @throws ForgeError `sandbox_failed`; the signal's reason when it is aborted while waiting
   */
  run(spec: CloneRun): Promise<SandboxResult>;
}

export interface CloneRun extends Omit<SandboxSpec, "writable" | "readOnly"> {
  /** Whether Forge's own loader for TypeScript is shown to it. */
  readonly withLoader?: boolean;
}

/** A clone as its opener has it. */
export interface OwnClone extends Clone {
  /** Puts installed packages where programs look for them, before anything is run; they are seen read-only. @param folder where they were installed */
  addPackages(folder: string): Promise<void>;
}

/** One clone has one of these: two would not know of each other's work. */
export async function openClone({
  folder,
  sandbox,
  list,
  readOnly = [],
  lock = createFolderLock(),
}: CloneSpec): Promise<OwnClone> {
  const root = await realpath(folder);
  const shown = [...readOnly];
  return {
    files: openFolderFiles({ root, lock, ...defined({ list }) }),
    run: ({ withLoader = false, ...spec }) => {
      const place = () => ({ writable: root, readOnly: withLoader ? [...shown, ...LOADER_FOLDERS] : shown });
      return lock.exclusive(spec.signal, () => sandbox.run({ ...spec, ...place() }));
    },
    addPackages: (packages) =>
      lock.exclusive(undefined, async () => {
        shown.push(...(await layPackages(packages, root)));
      }),
  };
}

/** A clone that is made when it is first used, and once: writing a repository out takes time that most work does not need. */
export function cloneLater(open: () => Promise<Clone>): Clone {
  let opened: Promise<Clone> | undefined;
  const clone = () => {
    opened ??= open();
    return opened;
  };
  return {
    files: {
      read: async (...given) => (await clone()).files.read(...given),
      readMany: async (...given) => (await clone()).files.readMany(...given),
      list: async (...given) => (await clone()).files.list(...given),
      search: async (...given) => (await clone()).files.search(...given),
      change: async (...given) => (await clone()).files.change(...given),
    },
    run: async (spec) => (await clone()).run(spec),
  };
}
