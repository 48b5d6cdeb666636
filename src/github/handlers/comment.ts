import type { z } from "zod";
import type { CommandSource } from "../../domain/command-source.ts";
import { defined } from "../../domain/defined.ts";
import type { Subject } from "../../domain/subjects.ts";
import { commandLines } from "../../pipeline/commands/command-lines.ts";
import { bodyHash, dismissalReason } from "../../pipeline/commands/parse-comment.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import {
  actor,
  type CommentBody,
  IssueCommentEvent,
  type Payload,
  parsePayload,
  type RepositoryEvent,
  ReviewCommentEvent,
  ReviewEvent,
  repositoryRef,
} from "./payloads.ts";
import { pressed } from "./pressed.ts";

/** `issue_comment.created`: in the conversation of a pull request, or on an issue. */
export async function handleIssueComment(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"issue_comment.created">,
) {
  const event = parsePayload(IssueCommentEvent, payload);
  const { issue, comment } = event;
  return take(dependencies, {
    deliveryId,
    event,
    number: issue.number,
    kind: "issue_comment",
    comment,
    onIssue: !issue.pull_request,
  });
}

/** `pull_request_review_comment.created`: on a line, a file, or as a reply in a thread. */
export async function handleReviewComment(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"pull_request_review_comment.created">,
) {
  const event = parsePayload(ReviewCommentEvent, payload);
  const { comment, pull_request: pull } = event;
  const thread = comment.in_reply_to_id ?? undefined;
  return take(dependencies, { deliveryId, event, number: pull.number, kind: "review_comment", comment, thread });
}

/** `pull_request_review.submitted`: the text above a review's comments. */
export async function handleReviewSubmitted(
  dependencies: HandlerDependencies,
  deliveryId: string,
  payload: Payload<"pull_request_review.submitted">,
) {
  const event = parsePayload(ReviewEvent, payload);
  const { review, pull_request: pull } = event;
  const taken = await take(dependencies, { deliveryId, event, number: pull.number, kind: "review", comment: review });
  const signalled = await signalChanges(dependencies, event);
  if (taken.ignored === undefined) return taken;
  return signalled ?? (await answerGate(dependencies, deliveryId, event)) ?? taken;
}

/** Gates that a review of the pull request answers as well as a command (GH-14b). */
const ANSWERED_BY_REVIEW: readonly string[] = ["high_risk_change", "test_failure"];

/** An approving review by a person, of the very head that a gate asks about, is a yes to it: nobody should have to approve twice. */
async function answerGate(dependencies: HandlerDependencies, deliveryId: string, event: z.infer<typeof ReviewEvent>) {
  const { review, pull_request: pull, repository } = event;
  if (review.state?.toLowerCase() !== "approved" || review.user?.type !== "User") return undefined;
  const work = await dependencies.implementationOf(repository.id, { pull: pull.number });
  const gates = work && !work.over ? await dependencies.openGates(work.subject) : [];
  const gate = gates.find(({ question, headSha }) => {
    return ANSWERED_BY_REVIEW.includes(question.type) && headSha === review.commit_id;
  });
  if (!work || !gate) return undefined;
  const press = { subject: work.subject, deliveryId, by: actor(review.user), identifier: `approve-${gate.gate}` };
  return dependencies.submit(pressed(dependencies, press));
}

/** Changes that a person asks for on a pull request that Forge opened go to the implementer (GH-6). */
async function signalChanges(dependencies: HandlerDependencies, event: z.infer<typeof ReviewEvent>) {
  const { review, pull_request: pull, repository } = event;
  if (review.state?.toLowerCase() !== "changes_requested" || !review.user) return undefined;
  const by = actor(review.user);
  const implementation =
    by.kind === "user" && (await dependencies.implementationOf(repository.id, { pull: pull.number }));
  if (!implementation) return undefined;
  const common = { subject: implementation.subject, at: dependencies.now(), newRunId: dependencies.makeId() };
  const signal = { from: "person", reviewId: review.id, by } as const;
  return dependencies.submit({ ...common, type: "pull.signalled", signal });
}

interface Seen {
  readonly deliveryId: string;
  readonly event: z.infer<typeof RepositoryEvent>;
  readonly number: number;
  readonly kind: CommandSource["kind"];
  readonly comment: z.infer<typeof CommentBody>;
  readonly thread?: number | undefined;
  readonly onIssue?: boolean;
}

/** Most comments are talk among people: they end here, before anything is stored. */
async function take(dependencies: HandlerDependencies, seen: Seen): Promise<{ readonly ignored?: string }> {
  const { deliveryId, event, number, kind, comment, thread, onIssue = false } = seen;
  const subject: Subject = { kind: onIssue ? "issue" : "pull_request", repository: repositoryRef(event), number };
  const body = comment.body ?? "";
  if (!comment.user || comment.user.type === "Bot") return { ignored: "comments by bots start nothing" };
  const hasCommands = commandLines(body).lines.length > 0;
  const plain = !hasCommands && thread !== undefined && dismissalReason(body) !== undefined;
  const isReply = kind === "review_comment" && thread !== undefined;
  const talk =
    !hasCommands && !plain && isTalk(body) && (isReply || (onIssue && (await dependencies.awaitsAnswer(subject))));
  if (!hasCommands && !plain && !talk) return { ignored: "there is no command in it" };
  return dependencies.submit({
    type: "comment.given",
    subject,
    at: dependencies.now(),
    newRunId: dependencies.makeId(),
    source: { kind, id: String(comment.id) },
    by: actor(comment.user),
    deliveryId,
    bodyHash: bodyHash(body),
    ...defined({ thread }),
    plain,
    ...defined({ talk: talk || undefined }),
  });
}

/** Words of a person; what carries a marker of Forge is its own. */
function isTalk(body: string): boolean {
  return body.trim() !== "" && !body.includes("<!-- forge:");
}
