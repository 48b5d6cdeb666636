// What follows from a branch that moved or went away, whoever moved it.
import { isAncestor, NO_SHA } from "../git/bare-repository.ts";
import { git } from "../git/run-git.ts";
import type { Account, PullRequest, Repository } from "../records.ts";
import { covers, pullsOf, type World } from "../world.ts";
import { closePull, mergedByPush } from "./change-pull.ts";
import { openSuite } from "./check-suites.ts";
import { closeNamedIssues } from "./close-issues.ts";
import { moveHead } from "./move-head.ts";

export const BRANCH = "refs/heads/";

export interface Move {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}

/** Check suites, new heads and bases of pull requests, and issues that its commits close. */
export async function branchMoved(world: World, repository: Repository, move: Move, by: Account): Promise<void> {
  const branch = move.ref.slice(BRANCH.length);
  for (const installation of world.installations)
    if (covers(installation, repository) && installation.app.permissions.checks === "write")
      await openSuite(world, repository, installation.app, { sha: move.after, branch, before: move.before, by });
  for (const other of world.repositories.values())
    for (const request of pullsOf(other)) {
      if (request.state !== "open") continue;
      if (other === repository && request.pull.baseRef === branch) await baseMoved(world, request, move.after, by);
      if (request.pull.headRepository === repository && request.pull.headRef === branch)
        await moveHead(world, request, move.after, by);
    }
  await closeByCommits(world, repository, move, by);
}

async function baseMoved(world: World, request: PullRequest, sha: string, by: Account): Promise<void> {
  const { pull, repository } = request;
  pull.baseSha = sha;
  if (await isAncestor(repository.directory, pull.headSha, sha)) await mergedByPush(world, request, sha, by);
}

/** Commits close issues when they reach the default branch, as descriptions of pull requests do. */
async function closeByCommits(world: World, repository: Repository, move: Move, by: Account): Promise<void> {
  const hasOpen = [...repository.issues.values()].some((issue) => issue.state === "open" && !issue.pull);
  if (!hasOpen || move.ref !== BRANCH + repository.defaultBranch) return;
  const range = move.before === NO_SHA ? move.after : `${move.before}..${move.after}`;
  const messages = await git(repository.directory, ["log", "--reverse", "--format=%B", range]);
  closeNamedIssues(world, repository, messages.output.toString(), by);
}

/** Open pull requests end with their branch. No page of GitHub was found that says so, others have written of it:
 * https://claudeatlas.com/skills/wan-huiyan/stacked-pr-base-branch-deletion-auto-closes-dependent/ */
export async function branchDeleted(world: World, repository: Repository, branch: string, by: Account): Promise<void> {
  for (const other of world.repositories.values())
    for (const request of pullsOf(other))
      if (request.pull.headRepository === repository && request.pull.headRef === branch)
        await closePull(world, request, by);
}
