import { basename } from "node:path";
import { openFolderFiles } from "../../workspace/files/folder-files.ts";
import type { RepositoryFiles, WorkFiles } from "../../workspace/files/repository-files.ts";
import { createFolderLock } from "../../workspace/folder-lock.ts";
import { type PackagePlan, packageFiles } from "../../workspace/install/package-plan.ts";
import { planPackages } from "../../workspace/install/plan-packages.ts";
import { findLocalRepository } from "../../workspace/local/find-repository.ts";
import { walkFolder } from "../../workspace/local/local-files.ts";
import { listLocalFiles } from "../../workspace/local/local-repository.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";
import { PROJECT_FILES, type Project, readProject } from "../project/read-project.ts";

/** What Forge would do with a project as it is, without a configuration. Names and reasons may hold words of the repository. */
export interface ProjectFacts extends Project {
  /** The folder of the configuration: the root of the checkout, or the folder itself outside of any. Absolute. */
  readonly root: string;
  readonly isCheckout: boolean;
  /** Of the root, for reading and writing. */
  readonly files: WorkFiles;
  /** One for each language that needs packages, or why nothing is known of them, as a sentence without its end. */
  readonly packages: readonly PackagePlan[] | { readonly reason: string };
  /** Why nothing of the project can be run on this machine, in a sentence. */
  readonly noSandbox?: string;
}

/**
 * Looks at a project as a review, its tests and an implementation would. Nothing of it is run or changed.
 * @param folder absolute, with links resolved
 * @param registries hosts that packages may come from
 * @throws ForgeError `checkout_unusable`, `checkout_unreadable`, `folder_too_large`
 */
export async function lookAtProject(
  folder: string,
  registries: readonly string[],
  signal: AbortSignal,
): Promise<ProjectFacts> {
  const repository = await findLocalRepository(folder);
  const root = repository?.workTree ?? folder;
  const listed = repository ? await listLocalFiles(repository, root) : await walkFolder(root);
  const lock = createFolderLock();
  const files = openFolderFiles({ root, lock, list: async () => ({ paths: listed }) });
  const found = await files.list(signal);
  const paths = found.ok ? found.paths : [];
  const texts = await readTexts(files, PROJECT_FILES, paths, signal);
  const inputs = await readTexts(files, packageFiles(paths), paths, signal);
  const sandbox = await openSandbox();
  return {
    ...{ root, isCheckout: repository !== undefined, files },
    ...readProject(paths, texts, basename(root)),
    packages: await planPackages({ texts: inputs, day: undefined, registries }, signal),
    ...("unavailable" in sandbox && { noSandbox: sandbox.unavailable }),
  };
}

async function readTexts(
  files: RepositoryFiles,
  names: readonly string[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const known = new Set(paths);
  const contents = await files.readMany(
    [...new Set(names)].filter((name) => known.has(name)),
    signal,
  );
  return new Map([...contents].map(([path, content]) => [path, content.toString("utf8")]));
}
