import type { z } from "zod";
import type { Subject } from "../../domain/subjects.ts";
import { IMPLEMENT_LABEL } from "../create-labels.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { actor, IssueEvent, IssueLabelEvent, type Payload, parsePayload, repositoryRef } from "./payloads.ts";

/** `issues.labeled`: the label is `/forge implement` by the person who put it there (GH-1). */
export async function handleIssueLabeled(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"issues.labeled">,
) {
  const event = parsePayload(IssueLabelEvent, payload);
  const by = actor(event.sender);
  if (!isOurs(event)) return { ignored: "the label means nothing to Forge on an issue" };
  if (by.kind !== "user") return { ignored: "labels by bots start nothing" };
  return dependencies.submit({
    ...common(dependencies, event),
    type: "request.made",
    source: { kind: "label", id: deliveryId },
    by,
    deliveryId,
    plain: false,
    press: { identifier: "implement", by },
  });
}

/** `issues.unlabeled`: the work is not wanted any more, regardless of who took the label away. */
export async function handleIssueUnlabeled(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"issues.unlabeled">,
) {
  const event = parsePayload(IssueLabelEvent, payload);
  if (!isOurs(event)) return { ignored: "the label means nothing to Forge on an issue" };
  return dependencies.submit({
    ...common(dependencies, event),
    type: "issue.ended",
    by: actor(event.sender),
    reason: "label_removed",
  });
}

/** `issues.closed`, and `deleted` and `transferred`, after which there is nothing to talk on. */
export async function handleIssueEnded(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"issues.closed" | "issues.deleted" | "issues.transferred">,
) {
  const event = parsePayload(IssueEvent, payload);
  if (event.issue.pull_request) return { ignored: "a pull request has events of its own" };
  return dependencies.submit({
    ...common(dependencies, event),
    type: "issue.ended",
    by: actor(event.sender),
    reason: "issue_closed",
  });
}

/** GitHub does not tell names of labels apart by their case. */
function isOurs({ label, issue }: z.infer<typeof IssueLabelEvent>): boolean {
  return !issue.pull_request && label.name.toLowerCase() === IMPLEMENT_LABEL;
}

function common(dependencies: HandlerDependencies, event: z.infer<typeof IssueEvent>) {
  const subject: Subject = { kind: "issue", repository: repositoryRef(event), number: event.issue.number };
  return { subject, at: dependencies.now(), newRunId: dependencies.makeId() };
}
