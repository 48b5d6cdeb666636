import { inspectPull } from "../facts/inspect-pull.ts";
import { fetchCommit } from "../git/bare-repository.ts";
import { type ChangedRange, changedRanges, followLine } from "../git/follow-line.ts";
import { git } from "../git/run-git.ts";
import type { Account, PullRequest, ReviewComment } from "../records.ts";
import { fullPullShape } from "../shapes/pull.ts";
import { emit } from "../webhooks/emit.ts";
import { now, type World } from "../world.ts";

/** Keeps refs/pull/N/head of the base repository on the head, from wherever it comes. */
export async function keepPullRef({ repository, number, pull }: PullRequest): Promise<void> {
  const ref = `refs/pull/${number}/head`;
  if (pull.headRepository && pull.headRepository !== repository)
    await fetchCommit(repository.directory, pull.headRepository.directory, pull.headSha, ref);
  else await git(repository.directory, ["update-ref", ref, pull.headSha]);
}

/** A push to the head branch of an open pull request. */
export async function moveHead(world: World, request: PullRequest, sha: string, by: Account): Promise<void> {
  const { pull, repository } = request;
  const before = pull.headSha;
  pull.headSha = sha;
  pull.heads.push(sha);
  request.updatedAt = now();
  await keepPullRef(request);
  // comments of one file share what git says about it
  const known: KnownRanges = new Map();
  for (const comment of pull.comments) await moveComment(world, comment, sha, known);
  const pullRequest = await fullPullShape(world, request);
  const payload = { action: "synchronize", number: request.number, before, after: sha, pull_request: pullRequest };
  emit(world, repository, "pull_request", payload, by);
}

type KnownRanges = Map<string, Promise<ChangedRange[] | null>>;

/** A comment follows its line; when the line changed or left the diff it is outdated. Comments on the old side stay. */
export async function moveComment(
  world: World,
  comment: ReviewComment,
  head: string,
  known: KnownRanges = new Map(),
): Promise<void> {
  const { anchor, path, pullRequest, originalCommitId: from } = comment;
  if (anchor.line === null || comment.current === null) return;
  const file = (await inspectPull(world, pullRequest)).files.find((each) => each.filename === path);
  const isOld = anchor.side === "LEFT";
  const key = `${from} ${path}`;
  const { directory } = pullRequest.repository;
  const reading = isOld ? Promise.resolve([]) : (known.get(key) ?? changedRanges(directory, { from, to: head, path }));
  if (!isOld) known.set(key, reading);
  const ranges = await reading;
  const line = ranges && followLine(ranges, anchor.line);
  const startLine = ranges && anchor.startLine !== null ? followLine(ranges, anchor.startLine) : null;
  const lines = isOld ? file?.left : file?.right;
  const lost = line === null || (anchor.startLine !== null && startLine === null) || !lines?.has(line);
  comment.current = lost ? null : { line, startLine };
  if (!lost) comment.commitId = head;
}
