import { commitsIn, refsOf } from "../git/bare-repository.ts";
import { validationFailed } from "../problem.ts";
import type { Pull, PullRequest, Repository } from "../records.ts";
import { fullPullShape } from "../shapes/pull.ts";
import { emit } from "../webhooks/emit.ts";
import { isPull, nextId, pullsOf, type World } from "../world.ts";
import { type Author, createIssue } from "./issues.ts";
import { keepPullRef } from "./move-head.ts";

export interface NewPull {
  readonly title: string;
  readonly body: string | null;
  /** "branch", or "owner:branch" for a fork. */
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
}

/** Throws the 422 problems of https://docs.github.com/en/rest/pulls/pulls#create-a-pull-request. */
export async function openPull(
  world: World,
  repository: Repository,
  wanted: NewPull,
  author: Author,
): Promise<PullRequest> {
  const { headRepository, headRef } = headOf(world, repository, wanted.head);
  const headSha = (await refsOf(headRepository.directory)).get(`refs/heads/${headRef}`);
  const baseSha = (await refsOf(repository.directory)).get(`refs/heads/${wanted.base}`);
  if (!headSha || !baseSha)
    throw validationFailed({ resource: "PullRequest", field: headSha ? "base" : "head", code: "invalid" });
  refuseSecond(repository, headRepository, headRef, wanted.base);
  const pull = newPull(world, { headRepository, headRef, headSha, baseRef: wanted.base, baseSha, draft: wanted.draft });
  const created = createIssue(world, repository, { title: wanted.title, body: wanted.body, pull }, author);
  if (!isPull(created)) throw new Error("an issue that was created with a pull has one");
  await keepPullRef(created);
  if ((await commitsIn(repository.directory, `${baseSha}..${headSha}`)).length === 0) {
    repository.issues.delete(created.number);
    throw custom(`No commits between ${wanted.base} and ${headRef}`);
  }
  const payload = { action: "opened", number: created.number, pull_request: await fullPullShape(world, created) };
  emit(world, repository, "pull_request", payload, author.user);
  return created;
}

function headOf(world: World, repository: Repository, head: string): { headRepository: Repository; headRef: string } {
  const colon = head.indexOf(":");
  const owner = head.slice(0, Math.max(0, colon)).toLowerCase();
  if (colon < 0 || owner === repository.owner.login.toLowerCase())
    return { headRepository: repository, headRef: head.slice(colon + 1) };
  const headRepository = [...world.repositories.values()].find(
    (each) => each.source === repository && each.owner.login.toLowerCase() === owner,
  );
  if (!headRepository) throw validationFailed({ resource: "PullRequest", field: "head", code: "invalid" });
  return { headRepository, headRef: head.slice(colon + 1) };
}

function refuseSecond(repository: Repository, headRepository: Repository, headRef: string, baseRef: string): void {
  const taken = pullsOf(repository).some(
    ({ state, pull }) =>
      state === "open" &&
      pull.headRepository === headRepository &&
      pull.headRef === headRef &&
      pull.baseRef === baseRef,
  );
  if (taken) throw custom(`A pull request already exists for ${headRepository.owner.login}:${headRef}.`);
}

function custom(message: string) {
  return validationFailed({ resource: "PullRequest", code: "custom", message });
}

type Ends = Pick<Pull, "headRepository" | "headRef" | "headSha" | "baseRef" | "baseSha" | "draft">;

function newPull(world: World, ends: Ends): Pull {
  return {
    ...ends,
    id: nextId(world),
    heads: [ends.headSha],
    mergedAt: null,
    mergedBy: null,
    mergeCommitSha: null,
    reviews: [],
    comments: [],
    threads: [],
  };
}
