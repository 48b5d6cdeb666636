import { gitFailure } from "../failure.ts";
import { runGit } from "../git.ts";
import { WRITE_LIMITS } from "../write-head.ts";
import { type BytePath, type Entries, isSubmodule } from "./entries.ts";
import { treeUnavailable } from "./private-git.ts";
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

interface IgnoreQuestion {
  readonly gitDirectory: string;
  readonly root: string;
  readonly signal: AbortSignal;
}

/**
 * Those of the paths that the repository's own `.gitignore` files leave out. Git reads nothing else of the folder for that: no index, no
 * attributes, no nested repository.
 * @throws ForgeError `working_tree_unavailable`
 */
async function ignoredPaths(
  { gitDirectory, root, signal }: IgnoreQuestion,
  paths: readonly BytePath[],
): Promise<ReadonlySet<BytePath>> {
  if (paths.length === 0) return new Set();
  const result = await runGit({
    gitDirectory,
    // This command takes no literal paths; behind `./` none of them means anything but itself.
    args: ["--no-literal-pathspecs", "-C", root, `--work-tree=${root}`, "check-ignore", "-z", "--stdin", "--no-index"],
    input: Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1"),
    // 1: none of them.
    okCodes: [0, 1],
    signal,
  });
  if (!result.ok) throw treeUnavailable(gitFailure("Asking what is ignored", result));
  const answers = result.stdout.toString("latin1").split("\0");
  return new Set(answers.map((path) => path.slice("./".length)));
}
