import { runGit } from "../git.ts";
import { gitRefusal } from "../refusal.ts";
import type { BytePath } from "./entries.ts";
import { treeUnavailable } from "./tree-unavailable.ts";

export interface IgnoreQuestion {
  readonly gitDirectory: string;
  readonly root: string;
  readonly signal: AbortSignal;
}

/**
 * Those of the paths that the repository's own `.gitignore` files leave out. Git reads nothing else of the folder for that: no index, no
 * attributes, no nested repository.
 * @throws ForgeError `working_tree_unavailable`
 */
export async function ignoredPaths(
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
  if (!result.ok) throw treeUnavailable(gitRefusal("Asking what is ignored", result));
  const answers = result.stdout.toString("latin1").split("\0");
  return new Set(answers.map((path) => path.slice("./".length)));
}
