import type { UncoveredFile } from "../../domain/review-report.ts";
import type { Tree } from "../tree.ts";
import { type AskCalls, askCalls } from "./ask-calls.ts";
import { callersOf } from "./callers-of.ts";

export interface Callers {
  /** Files that some calling file names, in whatever way. */
  readonly mentioned: ReadonlySet<string>;
  /** Of these, and of the calling files, those that build, test, install or release the project, and do not only start it. */
  readonly working: ReadonlySet<string>;
  /** Calling files that could not be read. */
  readonly unread: readonly UncoveredFile[];
}

/**
 * What the calling files of a repository name.
 * @param changed paths
 */
export async function readCallers(
  tree: Tree,
  changed: readonly string[],
  signal: AbortSignal,
  ask?: AskCalls,
): Promise<Callers> {
  const callers = await callersOf(tree, "all and named", signal, changed);
  const { read, unread } = await askCalls(callers.asked, tree.paths, signal, ask);
  return {
    mentioned: new Set(read.flatMap(({ mentioned = [] }) => mentioned)),
    working: new Set(read.flatMap(({ working = [] }) => working)),
    unread: [...callers.unread, ...unread],
  };
}
