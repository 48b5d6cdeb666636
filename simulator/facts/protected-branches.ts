// What a protected branch does not take.
import { commitOf, isAncestor, NO_SHA } from "../git/bare-repository.ts";
import type { Repository } from "../records.ts";
import { missingChecksOn } from "./required-checks.ts";

const BRANCH = "refs/heads/";

/** Why a branch takes no push of this commit, or without one of a new commit, in GitHub's words; null when it takes it, as it does
 * where nothing but checks is asked for and they have passed on the commit.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/about-protected-branches */
export function refusalOfPush(repository: Repository, branch: string, sha = NO_SHA): string | null {
  if (repository.protections.get(branch)?.requiresPull) return "Changes must be made through a pull request.";
  const [missing] = missingChecksOn(repository, branch, sha);
  return missing === undefined ? null : `Required status check "${missing}" is expected.`;
}

/** The same for a move of a ref through the API; a null SHA deletes it. */
export async function refusalOfMove(repository: Repository, ref: string, sha: string | null): Promise<string | null> {
  const branch = ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : "";
  if (!repository.protections.has(branch)) return null;
  const old = await commitOf(repository.directory, branch);
  if (sha === null) return "Cannot delete this branch";
  if (old && !(await isAncestor(repository.directory, old, sha))) return "Cannot force-push to this branch";
  return refusalOfPush(repository, branch, sha);
}

/** What the pre-receive hook has to know, one line for each protected branch: its ref, the commits that it takes, and what is said
 * of all others, with colons between, which no ref has in it. */
export function protectionLines(repository: Repository): string {
  const known = [...repository.checkSuites.map(({ headSha }) => headSha), ...repository.statuses.map(({ sha }) => sha)];
  const lines = [...repository.protections.keys()].flatMap((branch) => {
    const words = refusalOfPush(repository, branch);
    // a branch that asks for nothing is still neither deleted nor rewritten
    if (words === null) return [`${BRANCH}${branch}:all:`];
    const taken = new Set(known.filter((sha) => refusalOfPush(repository, branch, sha) === null));
    return [`${BRANCH}${branch}:${[...taken].join(",")}:${words}`];
  });
  return lines.join("\n");
}
