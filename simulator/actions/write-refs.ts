import { commitOf, isAncestor, refsOf } from "../git/bare-repository.ts";
import { commitFiles, commitTree, type FileContent, mergeTrees } from "../git/commits.ts";
import { git } from "../git/run-git.ts";
import { Problem } from "../problem.ts";
import type { Account, Repository } from "../records.ts";
import { refsMoved } from "../webhooks/refs-moved.ts";
import { type World, withRepositoryLock } from "../world.ts";

/** Moves a ref (null deletes it) and lets everything follow that a push would cause. */
export function setRef(
  world: World,
  repository: Repository,
  move: { ref: string; sha: string | null; force: boolean; by: Account },
): Promise<void> {
  const { ref, sha, force, by } = move;
  const { directory } = repository;
  return withRepositoryLock(world, repository, async () => {
    const before = await refsOf(directory);
    const old = before.get(ref);
    if (sha && !(await commitOf(directory, sha))) throw new Problem(422, "Object does not exist");
    if (sha && old && !force && !(await isAncestor(directory, old, sha)))
      throw new Problem(422, "Update is not a fast forward");
    await git(directory, sha ? ["update-ref", ref, sha] : ["update-ref", "-d", ref]);
    await refsMoved(world, repository, before, by);
  });
}

export interface CommitRequest {
  /** Null deletes a file. */
  readonly files: Readonly<Record<string, FileContent>>;
  readonly message: string;
  readonly author: Account;
  /** Branch or SHA on which a new branch, or with `force` an existing one, is built. */
  readonly from?: string | undefined;
  /** Replaces the tip of an existing branch instead of adding to it. */
  readonly force?: boolean | undefined;
  readonly merges?: string | undefined;
}

/** One commit on a branch, as pushed by its author. Resolves with its SHA. */
export function commitOn(
  world: World,
  repository: Repository,
  branch: string,
  request: CommitRequest,
): Promise<string> {
  const { directory } = repository;
  return withRepositoryLock(world, repository, async () => {
    const before = await refsOf(directory);
    const parent = await parentOf(repository, before.get(`refs/heads/${branch}`) ?? null, request);
    const { files, message, author, merges } = request;
    const person = { name: author.name ?? author.login, email: author.email };
    const sha = await commitFiles(directory, branch, { parent, merges, files, message, author: person });
    await refsMoved(world, repository, before, author);
    return sha;
  });
}

async function parentOf(repository: Repository, tip: string | null, request: CommitRequest): Promise<string | null> {
  const { directory } = repository;
  if (tip && !request.force) return tip;
  if (request.from !== undefined) {
    const from = await commitOf(directory, request.from);
    if (!from) throw new Error(`no branch or commit ${request.from} to build on`);
    return from;
  }
  return tip ? commitOf(directory, `${tip}^`) : null;
}

/** Merges a commit into a branch and pushes the result. Resolves with null when the two conflict. */
export async function mergeInto(
  world: World,
  repository: Repository,
  merge: { branch: string; sha: string; message: string; by: Account },
): Promise<string | null> {
  const { directory } = repository;
  const tip = await commitOf(directory, merge.branch);
  if (!tip) throw new Error(`no branch ${merge.branch} to merge into`);
  const { tree, clean } = await mergeTrees(directory, tip, merge.sha);
  if (!clean) return null;
  const author = { name: merge.by.name ?? merge.by.login, email: merge.by.email };
  const sha = await commitTree(directory, { tree, parents: [tip, merge.sha], message: merge.message, author });
  await setRef(world, repository, { ref: `refs/heads/${merge.branch}`, sha, force: false, by: merge.by });
  return sha;
}
