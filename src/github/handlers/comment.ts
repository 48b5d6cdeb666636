import type { z } from "zod";
import type { CommandSource } from "../../domain/commands.ts";
import type { Subject } from "../../domain/subjects.ts";
import { bodyHash } from "../commands/body-hash.ts";
import { commandLines } from "../commands/command-lines.ts";
import { dismissalReason } from "../commands/dismissal-words.ts";
import type { HandlerPowers } from "./handler-powers.ts";
import {
  actor,
  type CommentBody,
  IssueCommentEvent,
  parsePayload,
  type RepositoryEvent,
  ReviewCommentEvent,
  ReviewEvent,
  repositoryRef,
} from "./payloads.ts";

/** `issue_comment.created`: in the conversation of a pull request. */
export async function handleIssueComment(powers: HandlerPowers, deliveryId: string, payload: unknown) {
  const event = parsePayload(IssueCommentEvent, payload);
  if (!event.issue.pull_request) return { ignored: "a comment on an issue starts nothing" };
  return take(powers, { deliveryId, event, number: event.issue.number, kind: "issue_comment", comment: event.comment });
}

/** `pull_request_review_comment.created`: on a line, a file, or as a reply in a thread. */
export async function handleReviewComment(powers: HandlerPowers, deliveryId: string, payload: unknown) {
  const event = parsePayload(ReviewCommentEvent, payload);
  const { comment, pull_request: pull } = event;
  const thread = comment.in_reply_to_id ?? undefined;
  return take(powers, { deliveryId, event, number: pull.number, kind: "review_comment", comment, thread });
}

/** `pull_request_review.submitted`: the text above a review's comments. */
export async function handleReviewSubmitted(powers: HandlerPowers, deliveryId: string, payload: unknown) {
  const event = parsePayload(ReviewEvent, payload);
  return take(powers, { deliveryId, event, number: event.pull_request.number, kind: "review", comment: event.review });
}

interface Seen {
  readonly deliveryId: string;
  readonly event: z.infer<typeof RepositoryEvent>;
  readonly number: number;
  readonly kind: CommandSource["kind"];
  readonly comment: z.infer<typeof CommentBody>;
  readonly thread?: number | undefined;
}

/** Most comments are talk among people: they end here, before anything is stored. */
async function take(powers: HandlerPowers, { deliveryId, event, number, kind, comment, thread }: Seen) {
  const body = comment.body ?? "";
  if (!comment.user || comment.user.type === "Bot") return { ignored: "comments by bots start nothing" };
  const hasCommands = commandLines(body).lines.length > 0;
  const plain = !hasCommands && thread !== undefined && dismissalReason(body) !== undefined;
  const talk = !hasCommands && !plain && kind === "review_comment" && thread !== undefined && isTalk(body);
  if (!hasCommands && !plain && !talk) return { ignored: "there is no command in it" };
  const subject: Subject = { kind: "pull_request", repository: repositoryRef(event), number };
  return powers.submit({
    type: "comment.given",
    subject,
    at: powers.now(),
    newRunId: powers.makeId(),
    source: { kind, id: String(comment.id) },
    by: actor(comment.user),
    deliveryId,
    bodyHash: bodyHash(body),
    ...(thread === undefined ? {} : { thread }),
    plain,
    ...(talk ? { talk } : {}),
  });
}

/** Words of a person; what carries a marker of Forge is its own. */
function isTalk(body: string): boolean {
  return body.trim() !== "" && !body.includes("<!-- forge:");
}
