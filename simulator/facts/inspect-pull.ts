import { commitsIn, mergeBaseOf } from "../git/bare-repository.ts";
import { mergeTrees } from "../git/commits.ts";
import { type DiffFile, diffFiles } from "../git/diff-files.ts";
import type { PullRequest } from "../records.ts";
import type { World } from "../world.ts";

/** What git says about a pull request as it stands. */
export interface PullFacts {
  readonly mergeBase: string;
  readonly files: readonly DiffFile[];
  /** SHAs, oldest first. */
  readonly commits: readonly string[];
  readonly mergeable: boolean;
  /** Tree of the merge; only of use when mergeable. */
  readonly mergedTree: string;
}

const known = new WeakMap<World, Map<string, Promise<PullFacts>>>();

/** The same base and head always give the same facts, so they are worked out once. An older head can be asked about. */
export function inspectPull(
  world: World,
  { repository, pull }: PullRequest,
  headSha: string = pull.headSha,
): Promise<PullFacts> {
  const facts = known.get(world) ?? new Map<string, Promise<PullFacts>>();
  known.set(world, facts);
  const key = `${repository.id} ${pull.baseSha} ${headSha}`;
  const found = facts.get(key) ?? readFacts(repository.directory, pull.baseSha, headSha);
  facts.set(key, found);
  return found;
}

async function readFacts(directory: string, base: string, head: string): Promise<PullFacts> {
  const mergeBase = (await mergeBaseOf(directory, base, head)) ?? base;
  const [files, commits, merge] = await Promise.all([
    diffFiles(directory, mergeBase, head),
    commitsIn(directory, `${mergeBase}..${head}`),
    mergeTrees(directory, base, head),
  ]);
  return { mergeBase, files, commits, mergeable: merge.clean, mergedTree: merge.tree };
}
