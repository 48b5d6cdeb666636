import { inspectPull } from "../facts/inspect-pull.ts";
import { lacksApprovals, missingChecks } from "../facts/required-checks.ts";
import { commitInfo, commitTree, mergeTrees } from "../git/commits.ts";
import { Problem } from "../problem.ts";
import type { Account, PullRequest } from "../records.ts";
import type { World } from "../world.ts";
import { pullMerged, setMerged } from "./change-pull.ts";
import { setRef } from "./write-refs.ts";

export interface MergeRequest {
  readonly method: "merge" | "squash" | "rebase";
  readonly title?: string | undefined;
  readonly message?: string | undefined;
  /** The head that the caller believes in. */
  readonly sha?: string | undefined;
}

/** Throws the 405 and 409 problems of https://docs.github.com/en/rest/pulls/pulls#merge-a-pull-request. */
export async function mergePull(world: World, request: PullRequest, merge: MergeRequest, by: Account): Promise<string> {
  const { pull, repository } = request;
  if (request.state !== "open") throw new Problem(405, "Pull Request is not mergeable");
  if (pull.draft) throw new Problem(405, "Pull Request is still a draft");
  if (merge.sha !== undefined && merge.sha !== pull.headSha)
    throw new Problem(409, "Head branch was modified. Review and try the merge again.");
  const protection = repository.protections.get(pull.baseRef);
  if (!protection?.bypass?.includes(by.login.replace("[bot]", ""))) refuseUnready(request);
  const facts = await inspectPull(world, request);
  if (!facts.mergeable) throw new Problem(405, "Pull Request is not mergeable");
  const sha =
    merge.method === "rebase"
      ? await rebase(request, facts.commits, by)
      : await commitTree(repository.directory, {
          tree: facts.mergedTree,
          parents: merge.method === "merge" ? [pull.baseSha, pull.headSha] : [pull.baseSha],
          message: messageOf(request, merge),
          author: { name: by.name ?? by.login, email: by.email },
        });
  setMerged(request, sha, by);
  await setRef(world, repository, { ref: `refs/heads/${pull.baseRef}`, sha, force: false, by });
  await pullMerged(world, request, by);
  return sha;
}

/** Each commit of the branch as a new one on top of the base; GitHub names the pull request for all of them. */
async function rebase({ repository, pull }: PullRequest, commits: readonly string[], by: Account): Promise<string> {
  const { directory } = repository;
  const made: string[] = [];
  for (const one of commits) {
    const { parents, message, author } = await commitInfo(directory, one);
    if (parents.length > 1) continue;
    const { tree } = await mergeTrees(directory, pull.baseSha, one);
    const committer = { name: by.name ?? by.login, email: by.email };
    made.push(
      await commitTree(directory, { tree, parents: [made.at(-1) ?? pull.baseSha], message, author, committer }),
    );
  }
  pull.rebased = made.slice(0, -1);
  return made.at(-1) ?? pull.baseSha;
}

/** What the protection of the base branch has against a merge, in GitHub's words. */
export function refuseUnready(request: PullRequest, throughQueue = false): void {
  const { repository, pull } = request;
  if (repository.protections.get(pull.baseRef)?.queue && !throughQueue)
    throw new Problem(405, "Changes must be made through the merge queue");
  const [missing] = missingChecks(request);
  if (missing !== undefined) throw new Problem(405, `Required status check "${missing}" is expected.`);
  if (lacksApprovals(request))
    throw new Problem(405, "At least 1 approving review is required by reviewers with write access.");
}

function messageOf(request: PullRequest, merge: MergeRequest): string {
  const { pull, number, title, user } = request;
  const owner = pull.headRepository?.owner.login ?? user.login;
  const isMerge = merge.method === "merge";
  const first =
    merge.title ?? (isMerge ? `Merge pull request #${number} from ${owner}/${pull.headRef}` : `${title} (#${number})`);
  const rest = merge.message ?? (isMerge ? title : "");
  return rest ? `${first}\n\n${rest}` : first;
}
