import { refsOf } from "../git/bare-repository.ts";
import { checkBody, Problem, validationFailed } from "../problem.ts";
import type { Account, PullRequest } from "../records.ts";
import { fullPullShape } from "../shapes/pull.ts";
import { emit } from "../webhooks/emit.ts";
import { now, type World } from "../world.ts";
import { closeNamedIssues } from "./close-issues.ts";
import { keepPullRef } from "./move-head.ts";

export async function emitPull(
  world: World,
  request: PullRequest,
  payload: { action: string; changes?: unknown },
  by: Account,
): Promise<void> {
  request.updatedAt = now();
  const shape = await fullPullShape(world, request);
  emit(world, request.repository, "pull_request", { ...payload, number: request.number, pull_request: shape }, by);
}

export async function closePull(world: World, request: PullRequest, by: Account): Promise<void> {
  if (request.state === "closed") return;
  request.state = "closed";
  request.closedAt = now();
  await emitPull(world, request, { action: "closed" }, by);
}

/** The words of the description close issues only when they reach the default branch:
 * https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue */
export async function pullMerged(world: World, request: PullRequest, by: Account): Promise<void> {
  await emitPull(world, request, { action: "closed" }, by);
  const { repository, body, pull } = request;
  if (pull.baseRef === repository.defaultBranch) closeNamedIssues(world, repository, body ?? "", by);
}

/** A push of the base that contains the head merges the pull request, whoever made it, as
 * https://engineering.linecorp.com/en/blog/github-pull-request-automation-close/ has tried out:
 * https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/incorporating-changes-from-a-pull-request/about-pull-request-merges#indirect-merges */
export async function mergedByPush(world: World, request: PullRequest, sha: string, by: Account): Promise<void> {
  setMerged(request, sha, by);
  await pullMerged(world, request, by);
}

export function setMerged(request: PullRequest, sha: string, by: Account): void {
  request.state = "closed";
  request.closedAt = now();
  Object.assign(request.pull, { mergedAt: now(), mergedBy: by, mergeCommitSha: sha });
}

/** A closed pull request takes up the head that its branch has now. */
export async function reopenPull(world: World, request: PullRequest, by: Account): Promise<void> {
  if (request.state === "open") return;
  const { pull } = request;
  const refs = pull.headRepository ? await refsOf(pull.headRepository.directory) : new Map<string, string>();
  const head = refs.get(`refs/heads/${pull.headRef}`);
  if (pull.mergedAt || !head) throw new Problem(422, "Validation Failed", ["state cannot be changed."]);
  request.state = "open";
  request.closedAt = null;
  if (head !== pull.headSha) {
    pull.headSha = head;
    pull.heads.push(head);
    await keepPullRef(request);
  }
  await emitPull(world, request, { action: "reopened" }, by);
}

export async function setDraft(world: World, request: PullRequest, draft: boolean, by: Account): Promise<void> {
  if (request.pull.draft === draft) return;
  request.pull.draft = draft;
  await emitPull(world, request, { action: draft ? "converted_to_draft" : "ready_for_review" }, by);
}

export interface PullEdit {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly base?: string | undefined;
}

/** Emits one `edited` with all changes; nothing when nothing changed. */
export async function editPull(world: World, request: PullRequest, edit: PullEdit, by: Account): Promise<void> {
  const changes: Record<string, unknown> = {};
  if (edit.title !== undefined && edit.title !== request.title) {
    changes.title = { from: request.title };
    request.title = edit.title;
  }
  if (edit.body !== undefined && edit.body !== request.body) {
    checkBody("PullRequest", edit.body);
    changes.body = { from: request.body ?? "" };
    request.body = edit.body;
  }
  if (edit.base !== undefined && edit.base !== request.pull.baseRef)
    changes.base = await changeBase(request, edit.base);
  if (Object.keys(changes).length > 0) await emitPull(world, request, { action: "edited", changes }, by);
}

async function changeBase({ pull, repository }: PullRequest, base: string) {
  const sha = (await refsOf(repository.directory)).get(`refs/heads/${base}`);
  if (!sha) throw validationFailed({ resource: "PullRequest", field: "base", code: "invalid" });
  const change = { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } };
  pull.baseRef = base;
  pull.baseSha = sha;
  return change;
}
