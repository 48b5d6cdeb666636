import { commitOf } from "../git/bare-repository.ts";
import { commitInfo, commitTree, mergeTrees } from "../git/commits.ts";
import type { PullRequest, Repository } from "../records.ts";
import { commitSummary } from "../shapes/commit.ts";
import { emit } from "../webhooks/emit.ts";
import type { World } from "../world.ts";
import { setRef } from "./write-refs.ts";

export interface MergeGroup {
  readonly headSha: string;
  /** "refs/heads/gh-readonly-queue/<base>/pr-<number>-<base sha>" */
  readonly headRef: string;
  readonly baseSha: string;
  readonly baseRef: string;
}

/** Merges the heads one after the other onto the base, on a branch of its own, and asks for checks.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges/managing-a-merge-queue
 * Throws when a pull request conflicts. */
export async function createMergeGroup(
  world: World,
  repository: Repository,
  requests: readonly PullRequest[],
): Promise<MergeGroup> {
  const last = requests.at(-1);
  const baseRef = last?.pull.baseRef ?? repository.defaultBranch;
  const baseSha = await commitOf(repository.directory, baseRef);
  if (!last || !baseSha) throw new Error("a merge group needs a pull request and a base");
  let headSha = baseSha;
  const date = nextSecond(repository);
  for (const request of requests) headSha = await mergeOnto(repository, { onto: headSha, date }, request);
  const headRef = `refs/heads/gh-readonly-queue/${baseRef}/pr-${last.number}-${baseSha}`;
  await setRef(world, repository, { ref: headRef, sha: headSha, force: true, by: last.user });
  const group = { headSha, headRef, baseSha, baseRef: `refs/heads/${baseRef}` };
  const payload = { action: "checks_requested", merge_group: await groupShape(repository, group) };
  emit(world, repository, "merge_group", payload, last.user);
  return group;
}

const queuedAt = new WeakMap<Repository, number>();

/** No two groups of a repository in one second: git would make the same commit of the same pull requests. */
function nextSecond(repository: Repository): string {
  const at = Math.max(Date.now(), (queuedAt.get(repository) ?? 0) + 1_000);
  queuedAt.set(repository, at);
  return new Date(at).toISOString();
}

async function mergeOnto(
  repository: Repository,
  { onto, date }: { readonly onto: string; readonly date: string },
  request: PullRequest,
): Promise<string> {
  const { directory } = repository;
  const { tree, clean } = await mergeTrees(directory, onto, request.pull.headSha);
  if (!clean) throw new Error(`#${request.number} conflicts and cannot be queued`);
  const { login, email, name } = request.user;
  const message = `Merge pull request #${request.number} from ${login}/${request.pull.headRef}\n\n${request.title}`;
  const parents = [onto, request.pull.headSha];
  return commitTree(directory, { tree, parents, message, author: { name: name ?? login, email, date } });
}

/** The branch goes away; the pull requests themselves are merged or left by the caller. */
export async function destroyMergeGroup(
  world: World,
  repository: Repository,
  group: MergeGroup,
  reason: "merged" | "invalidated" | "dequeued",
): Promise<void> {
  const payload = { action: "destroyed", reason, merge_group: await groupShape(repository, group) };
  await setRef(world, repository, { ref: group.headRef, sha: null, force: true, by: repository.owner });
  emit(world, repository, "merge_group", payload, repository.owner);
}

async function groupShape(repository: Repository, { headSha, headRef, baseSha, baseRef }: MergeGroup) {
  return {
    head_sha: headSha,
    head_ref: headRef,
    base_sha: baseSha,
    base_ref: baseRef,
    head_commit: commitSummary(await commitInfo(repository.directory, headSha)),
  };
}
