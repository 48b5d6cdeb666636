import { defined } from "../../../domain/defined.ts";
import type { CommentGiven } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import { takeComment } from "../../commands/take-comment.ts";
import type { Decision } from "../../runs/decision.ts";
import type { SubjectView } from "../view.ts";

/** A comment on a pull request: commands, a plain answer in a finding's thread, or talk there that a model reads. */
export function takePullComment(view: SubjectView, input: CommentGiven): Decision {
  const { subject, source, by, at, plain, thread, bodyHash, talk = false } = input;
  const isInThread = view.ledger.some(({ commentId }) => commentId !== undefined && commentId === thread);
  const ignored =
    (plain || talk) && !isInThread
      ? "the reply is in no finding's thread"
      : talk && (view.facts.pause || view.repository.pause)
        ? "Forge is paused"
        : undefined;
  if (!talk) return takeComment(view.facts, input, { ignored, quiet: plain });
  const asked = { subject, source, index: 0, by, questionHash: bodyHash ?? "", talk };
  const payload = { ...asked, ...defined({ thread: thread || undefined }) };
  const job = { kind: "ask", key: `ask:${subjectKey(subject)}`, payload, runAt: at } as const;
  return takeComment(view.facts, input, { ignored, quiet: true, job });
}
