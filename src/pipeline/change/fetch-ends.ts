import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import { numberOf, type PullRequestEnds, type RepositoryRef, type Subject } from "../../domain/subjects.ts";
import { mayPass, type WorkspaceFailure } from "../../workspace/failure.ts";
import { fetchCommits } from "../../workspace/fetch-commits.ts";
import { type Mirror, openMirror } from "../../workspace/mirror.ts";
import type { GitRemote } from "../runs/ports.ts";

export interface EndsRequest {
  readonly subject: Subject;
  readonly ends: Pick<PullRequestEnds, "baseSha" | "headSha" | "headRef">;
  readonly mirrorRoot: string;
  readonly remote: GitRemote;
  readonly signal: AbortSignal;
}

/**
 * Fetches base and head by SHA, a fork's head by its pull reference.
 * @throws ForgeError `change_unreadable`, as `needed` says it
 */
export async function fetchEnds(request: EndsRequest): Promise<Mirror> {
  const { subject, ends, remote, signal } = request;
  const mirror = mirrorOf(subject.repository, request.mirrorRoot, remote);
  const shas = [ends.baseSha, ends.headSha];
  const ref = refOf(request);
  needed(await fetchCommits(mirror, { shas, refs: [ref], signal }));
  return mirror;
}

/** A queue's branch is in the repository itself, and its name comes whole. */
function refOf({ subject, ends }: EndsRequest): string {
  return subject.kind === "merge_group" ? ends.headRef : `refs/pull/${numberOf(subject)}/head`;
}

/** The mirror of a repository below the folder of all mirrors, which `remote` is fetched to. */
export function mirrorOf({ id }: Pick<RepositoryRef, "id">, root: string, remote: GitRemote): Mirror {
  const { url: remoteUrl, allowHttp, lender } = remote;
  const token = () => remote.token();
  return openMirror({ root, repositoryId: String(id), remoteUrl, token, allowHttp, ...defined({ lender }) });
}

/**
 * Required for a review.
 * @throws ForgeError `change_unreadable` with the workspace's sentence; `recoverability` says whether trying again may help.
 */
export function needed<T extends { ok: true }>(outcome: T | WorkspaceFailure): T {
  if (outcome.ok) return outcome;
  throw new ForgeError("change_unreadable", outcome.detail, {
    source: outcome.reason === "timeout" ? "timeout" : "resource",
    recoverability: mayPass(outcome) ? "auto" : "none",
    context: { reason: outcome.reason },
  });
}
