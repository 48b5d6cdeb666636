// What follows from refs that moved, whoever moved them: push events, check suites, new heads of pull requests.
import { openSuite } from "../actions/check-suites.ts";
import { moveHead } from "../actions/move-head.ts";
import { commitsIn, isAncestor, NO_SHA, refsOf } from "../git/bare-repository.ts";
import { commitInfo } from "../git/commits.ts";
import { diffFiles } from "../git/diff-files.ts";
import type { Account, Repository } from "../records.ts";
import { repositoryPage } from "../shapes/addresses.ts";
import { pushedCommitShape } from "../shapes/commit.ts";
import { covers, now, pullsOf, type World } from "../world.ts";
import { emit } from "./emit.ts";

const BRANCH = "refs/heads/";
/** A push event carries at most this many commits here; GitHub's own limit is 2,048:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#push */
const MOST_COMMITS = 20;

interface Move {
  readonly ref: string;
  readonly before: string;
  readonly after: string;
}

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
    await emitPush(world, repository, move, by);
    if (ref.startsWith(BRANCH) && move.after !== NO_SHA) await branchMoved(world, repository, move, by);
  }
}

async function branchMoved(world: World, repository: Repository, move: Move, by: Account): Promise<void> {
  const branch = move.ref.slice(BRANCH.length);
  for (const installation of world.installations)
    if (covers(installation, repository) && installation.app.permissions.checks === "write")
      await openSuite(world, repository, installation.app, { sha: move.after, branch, before: move.before, by });
  for (const other of world.repositories.values())
    for (const request of pullsOf(other)) {
      if (request.state !== "open") continue;
      if (other === repository && request.pull.baseRef === branch) request.pull.baseSha = move.after;
      if (request.pull.headRepository === repository && request.pull.headRef === branch)
        await moveHead(world, request, move.after, by);
    }
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
