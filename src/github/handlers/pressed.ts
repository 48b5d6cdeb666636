import type { CommentGiven } from "../../domain/inputs.ts";
import type { Actor, Subject } from "../../domain/subjects.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";

export interface Press {
  readonly subject: Subject;
  readonly deliveryId: string;
  readonly by: Actor;
  /** What the button stands for: `test`, `approve-G-1`. */
  readonly identifier: string;
}

/** A press on a button, or what counts as one: it does what the matching command does (GH-5). */
export function pressed(
  { now, makeId }: Pick<HandlerDependencies, "now" | "makeId">,
  { subject, deliveryId, by, identifier }: Press,
): CommentGiven {
  return {
    type: "comment.given",
    subject,
    at: now(),
    newRunId: makeId(),
    source: { kind: "button", id: deliveryId },
    by,
    deliveryId,
    plain: false,
    press: { identifier, by },
  };
}
