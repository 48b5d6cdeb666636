import type { Mention } from "./file-mentions.ts";
import { BUILT, type PathNames, withoutEnding } from "./path-names.ts";

/** Whether a mention can mean this path. */
export function fits({ within, exact, key, only, relative }: Mention, path: string, known: PathNames): boolean {
  if (exact !== undefined) {
    const bare = withoutEnding(path);
    if (exact === path || exact === bare || (BUILT.test(exact) && withoutEnding(exact) === bare)) return true;
    if (only) return false;
  }
  // Other relative paths are as often meant from where the program starts.
  if (relative) {
    const depth = path.split("/").length - 1 - within.length;
    const root = path.split("/").slice(0, Math.max(0, depth)).join("/");
    return depth >= 0 && known.roots.has(root === "" ? "" : `${root}/`) && agrees(within, path);
  }
  if (within.length === 0) return true;
  if (agrees(within, path)) return true;
  // What leads to another file for sure does not mean this one; an alias may.
  const last = key.slice(key.indexOf(" ") + 1);
  if (key.startsWith("folder ")) return false;
  return !known.pairs.has(`${within.at(-1)}/${last}`);
}

/** Whether the folders of both are the same, as far up as both go. */
function agrees(within: readonly string[], path: string): boolean {
  const folders = path.toLowerCase().split("/").slice(0, -1);
  for (let back = 1; back <= Math.min(within.length, folders.length); back += 1)
    if (within.at(-back)?.replace(/^[@#~]/, "") !== folders.at(-back)) return false;
  return true;
}
