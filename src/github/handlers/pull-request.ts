import type { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { RunRequest } from "../../domain/event-catalogue.ts";
import { numberOf, type Subject } from "../../domain/subjects.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import {
  actor,
  ends,
  MergeGroupEvent,
  type Payload,
  PullRequestEvent,
  parsePayload,
  repositoryRef,
} from "./payloads.ts";

const REASONS: { readonly [Action in Payload<"pull_request">["action"]]?: RunRequest["reason"] } = {
  opened: "opened",
  reopened: "reopened",
  ready_for_review: "ready",
  synchronize: "pushed",
  edited: "base_changed",
};

/** `pull_request` opened, reopened, ready_for_review, synchronize, edited (base changed), closed (GH-2, GH-7). */
export async function handlePullRequest(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"pull_request">,
) {
  const event = parsePayload(PullRequestEvent, payload);
  const { action, pull_request: pull } = event;
  const subject: Subject = { kind: "pull_request", repository: repositoryRef(event), number: pull.number };
  const common = { subject, at: dependencies.now(), newRunId: dependencies.makeId(), by: actor(event.sender) };
  const readImplementation = () => dependencies.implementationOf(subject.repository.id, { pull: pull.number });
  if (action === "closed") {
    const implementation = await readImplementation();
    const merged = pull.merged ?? false;
    if (implementation) {
      const ended = { ...common, subject: implementation.subject, newRunId: dependencies.makeId(), merged };
      await dependencies.submit({ ...ended, type: "pull.ended" });
    }
    return dependencies.submit({ ...common, type: "pull_request.closed", merged });
  }
  const reason = REASONS[payload.action];
  if (!reason) return { ignored: `pull_request.${action} starts nothing` };
  if (reason === "base_changed" && !event.changes?.base) return { ignored: "only the text was edited" };
  // The work on an issue has what it pushes reviewed itself. A commit of suggested fixes that somebody asked for has no run: its head needs
  // a check like any other, and the findings that it fixes are closed by its review (GH-8b, GH-8d).
  const { login } = event.sender;
  const isForge = login.endsWith("[bot]") && (await dependencies.isSelf(login));
  if (isForge && reason === "ready") return dependencies.submit({ ...common, type: "pull.readied" });
  if (isForge && reason === "opened" && !isRevert(pull.head.ref)) return { ignored: "caused by Forge itself" };
  const byForge = reason === "pushed" && isForge;
  if (byForge && !(await dependencies.isHeadOfFix(subject.repository.id, pull.head.sha))) {
    return { ignored: "caused by Forge itself" };
  }
  const implementation = await readImplementation();
  // Somebody else has worked on Forge's branch.
  if (implementation && !byForge && reason === "pushed" && pull.head.sha !== implementation.headSha) {
    const moved = {
      ...common,
      subject: implementation.subject,
      newRunId: dependencies.makeId(),
      headSha: pull.head.sha,
    };
    await dependencies.submit({ ...moved, type: "branch.moved" });
  }
  return dependencies.submit({
    ...common,
    type: "head.changed",
    request: { id: deliveryId, reason, automatic: true },
    ends: ends(pull),
    title: pull.title,
    ...defined({ updatedAt: pull.updated_at || undefined }),
    // Only pushes come in bursts (GH-3); who opens a pull request waits for the answer.
    debounceMs: reason === "pushed" ? dependencies.debounceMs : 0,
    ...defined({
      implements: implementation && { issue: numberOf(implementation.subject), runId: implementation.runId },
    }),
    webhook: { deliveryId, event: "pull_request", action },
  });
}

/** What takes a change back after a rollback goes the ordinary way (DEP-1); GitHub names its branch so. */
function isRevert(branch: string): boolean {
  return /^revert-\d+-/.test(branch);
}

/** GitHub names a queue's branches so; the number is that of the last pull request in the group. */
const QUEUE_BRANCH = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d{1,9})-[0-9a-f]{40,64}$/;

/** `merge_group.checks_requested`: the queue waits for the check on its head, so nothing is waited for here (GH-8d). */
export async function handleGroupRequested(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"merge_group.checks_requested">,
) {
  const event = parsePayload(MergeGroupEvent, payload);
  const { head_sha: headSha, head_ref: headRef, base_sha: baseSha, base_ref: baseRef } = event.merge_group;
  return dependencies.submit({
    type: "head.changed",
    subject: subjectOf(event),
    at: dependencies.now(),
    newRunId: dependencies.makeId(),
    request: { id: deliveryId, reason: "queued", automatic: true },
    by: actor(event.sender),
    ends: {
      headSha,
      headRef,
      headRepositoryId: event.repository.id,
      baseSha,
      baseRef: baseRef.replace(/^refs\/heads\//, ""),
    },
    title: headRef,
    debounceMs: 0,
    webhook: { deliveryId, event: "merge_group", action: "checks_requested" },
  });
}

/** `merge_group.destroyed`: its check is not needed any more. */
export async function handleGroupDestroyed(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"merge_group.destroyed">,
) {
  const event = parsePayload(MergeGroupEvent, payload);
  const common = {
    subject: subjectOf(event),
    at: dependencies.now(),
    newRunId: dependencies.makeId(),
    by: actor(event.sender),
  };
  return dependencies.submit({
    ...common,
    type: "pull_request.closed",
    merged: false,
    headSha: event.merge_group.head_sha,
  });
}

/** A later group of the same name takes the place of the earlier. A branch of another name must not leave the queue without an answer. */
function subjectOf(event: z.infer<typeof MergeGroupEvent>): Subject {
  const { head_ref: headRef, head_sha: headSha } = event.merge_group;
  const named = QUEUE_BRANCH.exec(headRef)?.[1];
  const number = named === undefined ? Number.parseInt(headSha.slice(0, 12), 16) : Number(named);
  return { kind: "merge_group", repository: repositoryRef(event), number };
}
