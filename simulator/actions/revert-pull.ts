import { commitOf } from "../git/bare-repository.ts";
import { commitInfo, commitTree, mergeTrees } from "../git/commits.ts";
import { Problem } from "../problem.ts";
import type { PullRequest } from "../records.ts";
import type { World } from "../world.ts";
import type { Author } from "./issues.ts";
import { openPull } from "./open-pull.ts";
import { setRef } from "./write-refs.ts";

/** The "Revert" button: https://docs.github.com/en/graphql/reference/mutations#revertpullrequest. Throws when it was not merged, or what
 * it changed was changed again. */
export async function revertPull(
  world: World,
  { pull, number, title: merged, repository }: PullRequest,
  words: { readonly title?: string | undefined; readonly body?: string | undefined },
  by: Author,
): Promise<PullRequest> {
  const { directory } = repository;
  const { mergeCommitSha: sha, baseRef, headRef } = pull;
  const tip = await commitOf(directory, baseRef);
  if (!pull.mergedAt || !sha || !tip) throw new Problem(422, "Pull request is not merged");
  const title = words.title ?? `Revert "${merged}"`;
  const body = words.body ?? `Reverts #${number}`;
  const { user } = by;
  const signed = { message: `${title}\n\n${body}`, author: { name: user.name ?? user.login, email: user.email } };
  const before = await commitInfo(directory, (await commitInfo(directory, sha)).parents[0] ?? sha);
  // the state before the merge, as a change to it: merged with the branch it takes back that and nothing since
  const undone = await commitTree(directory, { ...signed, tree: before.tree, parents: [sha] });
  const { tree, clean } = await mergeTrees(directory, tip, undone);
  if (!clean) throw new Problem(422, "Could not be reverted automatically because of conflicts");
  const head = `revert-${number}-${headRef}`;
  const made = await commitTree(directory, { ...signed, tree, parents: [tip] });
  await setRef(world, repository, { ref: `refs/heads/${head}`, sha: made, force: false, by: user });
  return openPull(world, repository, { title, body, head, base: baseRef, draft: false }, by);
}
