// What webhooks tell of refs that moved, whoever moved them.
import { BRANCH, branchDeleted, branchMoved, type Move } from "../actions/move-branch.ts";
import { commitsIn, isAncestor, NO_SHA, refsOf } from "../git/bare-repository.ts";
import { commitInfo } from "../git/commits.ts";
import { diffFiles } from "../git/diff-files.ts";
import type { Account, Repository } from "../records.ts";
import { repositoryPage } from "../shapes/addresses.ts";
import { pushedCommitShape } from "../shapes/commit.ts";
import { now, type World } from "../world.ts";
import { emit } from "./emit.ts";

/** A push event carries at most this many commits here; GitHub's own limit is 2,048:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#push */
const MOST_COMMITS = 20;

/** Compares the refs with what they were. Call it under the repository's lock. */
export async function refsMoved(
  world: World,
  repository: Repository,
  before: Map<string, string>,
  by: Account,
): Promise<void> {
  const after = await refsOf(repository.directory);
  repository.pushedAt = now();
  for (const ref of new Set([...before.keys(), ...after.keys()])) {
    const move = { ref, before: before.get(ref) ?? NO_SHA, after: after.get(ref) ?? NO_SHA };
    if (move.before === move.after || !/^refs\/(heads|tags)\//.test(ref)) continue;
    emitExistence(world, repository, move, by);
    await emitPush(world, repository, move, by);
    if (!ref.startsWith(BRANCH)) continue;
    if (move.after === NO_SHA) await branchDeleted(world, repository, ref.slice(BRANCH.length), by);
    else await branchMoved(world, repository, move, by);
  }
}

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#create and #delete: branches and tags that come and go. */
function emitExistence(world: World, repository: Repository, { ref, before, after }: Move, by: Account): void {
  const [, kind, name] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
  const shared = { ref: name, ref_type: kind === "tags" ? "tag" : "branch", pusher_type: "user" };
  if (before === NO_SHA)
    emit(world, repository, "create", { ...shared, master_branch: repository.defaultBranch, description: null }, by);
  else if (after === NO_SHA) emit(world, repository, "delete", shared, by);
}

async function emitPush(world: World, repository: Repository, move: Move, by: Account): Promise<void> {
  const { before, after, ref } = move;
  const created = before === NO_SHA;
  const deleted = after === NO_SHA;
  const forced = !created && !deleted && !(await isAncestor(repository.directory, before, after));
  const commits = await pushedCommits(world, repository, move);
  const page = repositoryPage(world, repository);
  const payload = {
    ref,
    before,
    after,
    created,
    deleted,
    forced,
    base_ref: null,
    compare: `${page}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: by.login, email: by.email },
  };
  emit(world, repository, "push", payload, by);
}

async function pushedCommits(world: World, repository: Repository, { ref, before, after }: Move) {
  if (after === NO_SHA || !ref.startsWith(BRANCH)) return [];
  const { directory, defaultBranch } = repository;
  const main = (await refsOf(directory)).get(BRANCH + defaultBranch);
  const since = before !== NO_SHA ? before : ref === BRANCH + defaultBranch ? undefined : main;
  const shas = (await commitsIn(directory, since ? `${since}..${after}` : after)).slice(-MOST_COMMITS);
  return Promise.all(
    shas.map(async (sha) => {
      const commit = await commitInfo(directory, sha);
      const [parent] = commit.parents;
      const files = parent ? await diffFiles(directory, parent, sha) : [];
      const names = (...statuses: string[]) =>
        files.filter((file) => statuses.includes(file.status)).map((file) => file.filename);
      const touched = { added: names("added"), removed: names("removed"), modified: names("modified", "renamed") };
      return pushedCommitShape(world, repository, commit, touched);
    }),
  );
}
