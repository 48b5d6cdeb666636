import type { Mirror } from "../../../workspace/mirror.ts";
import type { WorkingTree } from "../../../workspace/working-tree/working-tree.ts";

/** The files of a run, and the mirror that they came from. */
export type OpenTree = WorkingTree & { readonly mirror: Mirror };

/**
 * Keeps the files of a phase that only read them for the phase that follows in the same job: a file system takes up to a millisecond
 * for each file that is written out anew.
 */
export interface WorkTreeStore extends AsyncDisposable {
  /** The tree is the store's from now on. Nobody wrote to it, and no program ran in it. */
  put(tree: OpenTree): Promise<void>;
  /** The tree that was left, where it stands at this commit: whoever takes it closes it. Another one is closed. */
  take(commit: string): Promise<OpenTree | undefined>;
}

export function createWorkTreeStore(): WorkTreeStore {
  let left: OpenTree | undefined;
  const lift = () => {
    const tree = left;
    left = undefined;
    return tree;
  };
  const clear = async () => lift()?.[Symbol.asyncDispose]();
  return {
    put: async (tree) => {
      await clear();
      left = tree;
    },
    take: async (commit) => {
      if (left?.head() === commit && left.base === commit) return lift();
      await clear();
      return undefined;
    },
    [Symbol.asyncDispose]: clear,
  };
}
