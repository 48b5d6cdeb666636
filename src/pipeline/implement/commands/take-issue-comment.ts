import { isOpenGate } from "../../../domain/gates.ts";
import type { CommentGiven } from "../../../domain/inputs.ts";
import { takeComment } from "../../commands/take-comment.ts";
import type { Decision } from "../../runs/decision.ts";
import type { IssueView } from "../view.ts";

/** A comment on an issue: commands, or words that may answer an open question. */
export function takeIssueComment(view: IssueView, input: CommentGiven): Decision {
  const { talk = false } = input;
  const asks = view.gates.some((gate) => gate.question.type === "question" && isOpenGate(gate));
  const ignored = talk && !asks ? "no question is open" : undefined;
  return takeComment(view.facts, { ...input, plain: false }, { ignored, quiet: talk });
}
