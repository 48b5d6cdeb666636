import { type InstallRequest, installPackages } from "./install-packages.ts";
import { isInstalledIn } from "./open-packages.ts";

/** What runs of a folder of this machine find of its packages: in use until it is disposed of. */
export interface PackagesOfFolder extends AsyncDisposable {
  /** Where they are installed; undefined where there are none. */
  readonly folder?: string;
  /** Why they are not installed, where they are needed. May hold words of the repository. */
  readonly missing?: string;
  /** What people should know of them, in sentences. May hold words of the repository. */
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
