import { WRITE_LIMITS } from "../write-head.ts";
import { type BytePath, type Entries, isSubmodule } from "./entries.ts";
import { type IgnoreQuestion, ignoredPaths } from "./ignored-paths.ts";
import { type FoundFile, scanFolder } from "./scan-folder.ts";

export type BelongingFiles = readonly (readonly [path: BytePath, file: FoundFile])[];

/**
 * The files of the folder that belong to the repository: those that the last commit holds, and new ones that no `.gitignore` names and
 * that are at most `WRITE_LIMITS.fileBytes` large; larger ones are what programs leave behind. The caller holds the folder's lock.
 * @throws ForgeError `working_tree_unavailable`, `working_tree_unreadable`
 */
export async function belongingFiles(question: IgnoreQuestion, before: Entries): Promise<BelongingFiles> {
  const submodules = new Set([...before].filter(([, entry]) => isSubmodule(entry)).map(([path]) => path));
  const found = await scanFolder(question.root, submodules);
  const untracked = [...found.keys()].filter((path) => !before.has(path)).sort();
  const ignored = await ignoredPaths(question, untracked);
  return [...found].filter(([path, { bytes }]) => {
    return before.has(path) || (!ignored.has(path) && bytes <= WRITE_LIMITS.fileBytes);
  });
}
