import { commitInfo } from "../git/commits.ts";
import { gitLines } from "../git/run-git.ts";
import type { Account, Repository, Status } from "../records.ts";
import { repositoryApi } from "../shapes/addresses.ts";
import { statusShape } from "../shapes/check.ts";
import { commitShape } from "../shapes/commit.ts";
import { emit } from "../webhooks/emit.ts";
import { fullName, nextId, now, type World } from "../world.ts";

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#status: at most ten branches that have the commit in them. */
const MOST_BRANCHES = 10;

export async function createStatus(
  world: World,
  repository: Repository,
  wanted: Pick<Status, "sha" | "state" | "context" | "description" | "targetUrl">,
  creator: Account,
): Promise<Status> {
  const status: Status = { ...wanted, id: nextId(world), creator, createdAt: now() };
  repository.statuses.push(status);
  const { id, sha, state, context, description, targetUrl: target_url } = status;
  const { created_at, updated_at } = statusShape(world, repository, status);
  const facts = { id, sha, name: fullName(repository), state, context, description, target_url, avatar_url: null };
  const commit = commitShape(world, repository, await commitInfo(repository.directory, sha));
  const branches = await branchesWith(world, repository, sha);
  emit(world, repository, "status", { ...facts, commit, branches, created_at, updated_at }, creator);
  return status;
}

async function branchesWith(world: World, repository: Repository, sha: string) {
  const format = "--format=%(objectname) %(refname:lstrip=2)";
  const lines = await gitLines(repository.directory, "for-each-ref", format, `--contains=${sha}`, "refs/heads");
  return lines.slice(0, MOST_BRANCHES).map((line) => {
    const [tip, name] = [line.slice(0, 40), line.slice(41)];
    const url = `${repositoryApi(world, repository)}/commits/${tip}`;
    return { name, commit: { sha: tip, url }, protected: repository.protections.has(name) };
  });
}
