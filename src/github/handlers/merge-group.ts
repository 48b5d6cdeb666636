import type { z } from "zod";
import type { Subject } from "../../domain/subjects.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { actor, MergeGroupEvent, type Payload, parsePayload, repositoryRef } from "./payloads.ts";

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

/** `merge_group.destroyed`: nobody waits any more. */
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
