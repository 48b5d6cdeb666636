import { lstat, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { openFolderFiles } from "../files/folder-files.ts";
import type { RepositoryFiles } from "../files/repository-files.ts";
import { createFolderLock } from "../folder-lock.ts";
import { type InstallRequest, installPackages } from "./install-packages.ts";
import { PYTHON_PACKAGES } from "./pip-plan.ts";

/**
 * The installed packages below a folder, by name; nothing is changed. A link is followed only where it stays below that folder, which is
 * where managers that link put what they install: one to a folder of the repository itself opens nothing.
 * @param folder where packages were installed: it holds `node_modules`, or Python's folder of packages
 */
export function openPackages(folder: string): { open(name: string): Promise<RepositoryFiles | undefined> } {
  return {
    open: async (name) => {
      const below = await realpath(folder).catch(() => undefined);
      if (below === undefined) return undefined;
      const python = join(below, PYTHON_PACKAGES, name.replaceAll("-", "_").toLowerCase());
      for (const place of [join(below, "node_modules", name), join(below, PYTHON_PACKAGES, name), python]) {
        const root = await realpath(place).catch(() => undefined);
        // The folder of all packages is no package.
        if (root === undefined || root === join(below, "node_modules") || !root.startsWith(below + sep)) continue;
        return openFolderFiles({ root, lock: createFolderLock() });
      }
      return undefined;
    },
  };
}

/** Whether somebody installed the packages of a checkout in it. */
export async function isInstalledIn(folder: string): Promise<boolean> {
  const stats = await lstat(join(folder, "node_modules")).catch(() => undefined);
  return stats?.isDirectory() === true;
}

/** The packages for runs in a folder of this machine: in use until it is disposed of. */
interface PackagesOfFolder extends AsyncDisposable {
  /** Where they are installed; undefined where there are none. */
  readonly folder?: string;
  /** Why they are not installed, where they are needed. May hold words of the repository. */
  readonly missing?: string;
  /** Notes for people, in sentences. May hold words of the repository. */
  readonly notes: readonly string[];
}

/**
 * Those that somebody installed in the folder are seen read-only; else they are installed as for a pull request, beside it.
 * @throws the signal's reason
 */
export async function packagesOfFolder(folder: string, request: InstallRequest): Promise<PackagesOfFolder> {
  const nothing = async () => {};
  if (await isInstalledIn(folder)) return { folder, notes: [], [Symbol.asyncDispose]: nothing };
  const outcome = await installPackages(request);
  if (!outcome.installed)
    return { notes: [], ...(outcome.needed ? { missing: outcome.reason } : {}), [Symbol.asyncDispose]: nothing };
  const { packages } = outcome;
  return {
    ...{ folder: packages.folder, notes: packages.notes },
    [Symbol.asyncDispose]: () => packages[Symbol.asyncDispose](),
  };
}
