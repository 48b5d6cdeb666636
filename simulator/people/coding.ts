// What people do with branches and pull requests, in the browser or by pushing.
import { closePull, editPull, reopenPull, setDraft } from "../actions/change-pull.ts";
import { type MergeRequest, mergePull } from "../actions/merge-pull.ts";
import {
  destroyMergeGroup as endMergeGroup,
  type MergeGroup,
  createMergeGroup as makeMergeGroup,
} from "../actions/merge-queue.ts";
import { openPull } from "../actions/open-pull.ts";
import { commitOn, mergeInto, setRef } from "../actions/write-refs.ts";
import { inspectPull } from "../facts/inspect-pull.ts";
import { missingChecks } from "../facts/required-checks.ts";
import { commitOf } from "../git/bare-repository.ts";
import type { FileContent } from "../git/commits.ts";
import { requireAccount, requirePull, requireRepository, type World } from "../world.ts";

export interface CommitOptions {
  /** Null deletes a file. */
  readonly files: Readonly<Record<string, FileContent>>;
  readonly message: string;
  /** Login of who pushes; the owner when left out. */
  readonly author?: string;
  /** Branch or SHA that a new branch starts from (the default branch when left out), or that a forced push builds on. */
  readonly from?: string;
  /** Replaces the tip instead of adding to it. */
  readonly force?: boolean;
  /** A second parent: a merge whose result the files say, as after conflicts. */
  readonly merges?: string;
}

export interface PullOptions {
  readonly title: string;
  readonly body?: string;
  /** "branch", or "owner:branch" for a fork. */
  readonly head: string;
  /** The default branch when left out. */
  readonly base?: string;
  readonly by: string;
  readonly draft?: boolean;
}

export function coding(world: World) {
  /** A push of one commit. Resolves with its SHA. */
  async function commit(ownerRepo: string, branch: string, options: CommitOptions): Promise<string> {
    const repository = requireRepository(world, ownerRepo);
    const { files, message, force, merges } = options;
    const author = options.author === undefined ? repository.owner : requireAccount(world, options.author);
    const isEmpty = (await commitOf(repository.directory, repository.defaultBranch)) === null;
    const from = options.from ?? (isEmpty || force ? undefined : repository.defaultBranch);
    return commitOn(world, repository, branch, { files, message, author, from, force, merges });
  }

  /** Points a branch at a commit that exists, as a forced push. */
  async function moveBranch(ownerRepo: string, branch: string, sha: string, by: string): Promise<void> {
    const move = { ref: `refs/heads/${branch}`, sha, force: true, by: requireAccount(world, by) };
    await setRef(world, requireRepository(world, ownerRepo), move);
  }

  async function deleteBranch(ownerRepo: string, branch: string, by: string): Promise<void> {
    const move = { ref: `refs/heads/${branch}`, sha: null, force: true, by: requireAccount(world, by) };
    await setRef(world, requireRepository(world, ownerRepo), move);
  }

  async function openPullRequest(
    ownerRepo: string,
    options: PullOptions,
  ): Promise<{ number: number; headSha: string }> {
    const repository = requireRepository(world, ownerRepo);
    const { title, body = null, head, base = repository.defaultBranch, draft = false } = options;
    const author = { user: requireAccount(world, options.by), viaApp: null };
    const { number, pull } = await openPull(world, repository, { title, body, head, base, draft }, author);
    return { number, headSha: pull.headSha };
  }

  async function closePullRequest(ownerRepo: string, number: number, by: string): Promise<void> {
    await closePull(world, requirePull(world, ownerRepo, number), requireAccount(world, by));
  }

  async function reopenPullRequest(ownerRepo: string, number: number, by: string): Promise<void> {
    await reopenPull(world, requirePull(world, ownerRepo, number), requireAccount(world, by));
  }

  /** Resolves with the SHA of the merge. Throws when it conflicts or a required check is missing. */
  async function mergePullRequest(
    ownerRepo: string,
    number: number,
    by: string,
    method: MergeRequest["method"] = "merge",
  ): Promise<string> {
    return mergePull(world, requirePull(world, ownerRepo, number), { method }, requireAccount(world, by));
  }

  async function markReadyForReview(ownerRepo: string, number: number, by: string): Promise<void> {
    await setDraft(world, requirePull(world, ownerRepo, number), false, requireAccount(world, by));
  }

  async function convertToDraft(ownerRepo: string, number: number, by: string): Promise<void> {
    await setDraft(world, requirePull(world, ownerRepo, number), true, requireAccount(world, by));
  }

  async function editBase(ownerRepo: string, number: number, by: string, base: string): Promise<void> {
    await editPull(world, requirePull(world, ownerRepo, number), { base }, requireAccount(world, by));
  }

  /** Title and body. */
  async function editPullRequest(
    ownerRepo: string,
    number: number,
    by: string,
    edit: { readonly title?: string; readonly body?: string },
  ): Promise<void> {
    await editPull(world, requirePull(world, ownerRepo, number), edit, requireAccount(world, by));
  }

  /** The "Update branch" button: merges the base into the head. Resolves with null when they conflict. */
  async function updateBranch(ownerRepo: string, number: number, by: string): Promise<string | null> {
    const { pull, repository } = requirePull(world, ownerRepo, number);
    if (pull.headRepository !== repository) throw new Error("the branch of a fork is updated in the fork");
    const message = `Merge branch '${pull.baseRef}' into ${pull.headRef}`;
    const merge = { branch: pull.headRef, sha: pull.baseSha, message, by: requireAccount(world, by) };
    return mergeInto(world, repository, merge);
  }

  /** What the merge box says: mergeable when open, ready, free of conflicts and with no required check missing. */
  async function mergeability(
    ownerRepo: string,
    number: number,
  ): Promise<{ mergeable: boolean; missingChecks: string[] }> {
    const request = requirePull(world, ownerRepo, number);
    const missing = missingChecks(request);
    const { mergeable } = await inspectPull(world, request);
    const ready = request.state === "open" && !request.pull.draft;
    return { mergeable: ready && mergeable && missing.length === 0, missingChecks: missing };
  }

  /** Puts pull requests into the merge queue: a merge commit on gh-readonly-queue/… and merge_group checks_requested. */
  async function createMergeGroup(ownerRepo: string, numbers: readonly number[]): Promise<MergeGroup> {
    const requests = numbers.map((number) => requirePull(world, ownerRepo, number));
    return makeMergeGroup(world, requireRepository(world, ownerRepo), requests);
  }

  async function destroyMergeGroup(
    ownerRepo: string,
    group: MergeGroup,
    reason: "merged" | "invalidated" | "dequeued",
  ): Promise<void> {
    await endMergeGroup(world, requireRepository(world, ownerRepo), group, reason);
  }

  return {
    commit,
    moveBranch,
    deleteBranch,
    openPullRequest,
    closePullRequest,
    reopenPullRequest,
    mergePullRequest,
    markReadyForReview,
    convertToDraft,
    editBase,
    editPullRequest,
    updateBranch,
    mergeability,
    createMergeGroup,
    destroyMergeGroup,
  };
}
