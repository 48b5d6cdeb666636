import type { z } from "zod";
import type { CommandSource } from "../../domain/command-source.ts";
import { defined } from "../../domain/defined.ts";
import type { Subject } from "../../domain/subjects.ts";
import { commandLines } from "../../pipeline/commands/command-lines.ts";
import { bodyHash, dismissalReason } from "../../pipeline/commands/parse-comment.ts";
import type { IssueWork } from "../../pipeline/runs/implementation-of.ts";
import { pressed } from "./check.ts";
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
  const judged = await takeVerdict(dependencies, deliveryId, event);
  if (taken.ignored === undefined) return taken;
  return signalled ?? judged ?? taken;
}

/** `pull_request_review.dismissed`: somebody took a verdict back. */
export async function handleReviewDismissed(
  dependencies: HandlerDependencies,
  _deliveryId: string,
  payload: Payload<"pull_request_review.dismissed">,
) {
  return (await tellVerdict(dependencies, parsePayload(ReviewEvent, payload))) ?? { ignored: "it was no verdict" };
}

/** A verdict of a person on a pull request: whether something waits for it is known where it is decided (REV-2). */
async function tellVerdict(dependencies: HandlerDependencies, event: z.infer<typeof ReviewEvent>) {
  const { review, pull_request: pull } = event;
  if (review.user?.type !== "User" || !VERDICTS.includes(review.state?.toLowerCase() ?? "")) return undefined;
  const subject: Subject = { kind: "pull_request", repository: repositoryRef(event), number: pull.number };
  const { now, makeId } = dependencies;
  return dependencies.submit({ type: "verdict.given", subject, at: now(), newRunId: makeId() });
}

const VERDICTS: readonly string[] = ["approved", "changes_requested", "dismissed"];

/** A verdict answers a gate of Forge's own work, and what a high risk of other people's waits for. */
async function takeVerdict(dependencies: HandlerDependencies, deliveryId: string, event: z.infer<typeof ReviewEvent>) {
  const { pull_request: pull, repository } = event;
  const work = await dependencies.implementationOf(repository.id, { pull: pull.number });
  return work && !work.over ? answerGate(dependencies, deliveryId, event, work) : tellVerdict(dependencies, event);
}

/** Gates that a review of the pull request answers as well as a command (GH-14b). */
const ANSWERED_BY_REVIEW: readonly string[] = ["high_risk_change", "test_failure"];
const GATE_ANSWERS: Readonly<Record<string, "approve" | "reject">> = {
  approved: "approve",
  changes_requested: "reject",
};

/**
 * A review by a person, of the very head that a gate asks about, answers it: an approving one is a yes, and changes that are asked for a
 * no. Nobody should have to say it twice.
 */
async function answerGate(
  dependencies: HandlerDependencies,
  deliveryId: string,
  { review }: z.infer<typeof ReviewEvent>,
  work: IssueWork,
) {
  const answer = GATE_ANSWERS[review.state?.toLowerCase() ?? ""];
  if (answer === undefined || review.user?.type !== "User") return undefined;
  const gates = await dependencies.openGates(work.subject);
  const gate = gates.find(({ question, headSha }) => {
    return ANSWERED_BY_REVIEW.includes(question.type) && headSha === review.commit_id;
  });
  if (!gate) return undefined;
  const identifier = `${answer}-${gate.gate}`;
  return dependencies.submit(
    pressed(dependencies, { subject: work.subject, deliveryId, by: actor(review.user), identifier }),
  );
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
  const remark = !hasCommands && kind === "review_comment" && thread === undefined && isTalk(body);
  if (!hasCommands && !plain && !talk && !remark) return { ignored: "there is no command in it" };
  return dependencies.submit({
    type: "request.made",
    subject,
    at: dependencies.now(),
    newRunId: dependencies.makeId(),
    source: { kind, id: String(comment.id) },
    by: actor(comment.user),
    deliveryId,
    bodyHash: bodyHash(body),
    ...defined({ thread }),
    plain,
    ...defined({ talk: talk || undefined, remark: remark || undefined }),
  });
}

/** Words of a person; what carries a marker of Forge is its own. */
function isTalk(body: string): boolean {
  return body.trim() !== "" && !body.includes("<!-- forge:");
}
