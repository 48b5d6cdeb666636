import { defined } from "../../../domain/defined.ts";
import { MOST_FILES, type WorkDone } from "../../../domain/implementation.ts";
import type { TreeDiff } from "../../../workspace/working-tree/working-tree.ts";

/** What became of each file, by git's object ids: both versions can be read from the repository as long as it has them (IMPL-1). */
export function filesOfWork(files: TreeDiff["files"]): Pick<WorkDone, "filesChanged" | "files"> {
  const named = files.slice(0, MOST_FILES).flatMap(({ oldPath, newPath, oldSha, newSha }) => {
    const path = newPath ?? oldPath;
    const from = oldPath === path ? undefined : oldPath;
    return path === undefined ? [] : [{ path, ...defined({ oldPath: from, before: oldSha, after: newSha }) }];
  });
  return { filesChanged: files.length, files: named };
}
