import type { Gate } from "../../../domain/gates.ts";

/** What becomes of the work on an issue when a gate is not answered in time, in words that follow "without an answer ". */
export function lateWork({ question, unanswered }: Pick<Gate, "question" | "unanswered">): string {
  if (unanswered === undefined) return "the work is paused";
  if (unanswered === "approve") {
    if (question.type === "cost_overrun") return "the work goes on up to the full budget";
    return question.type === "bounces_used" ? "there is one more round" : "the plan is carried out";
  }
  return question.type === "tool_call" ? "the work goes on without the call" : "the work ends";
}

/** The command that has a gate asked again after nobody answered it, with what introduces it. */
export function againAfter({ question, unanswered }: Pick<Gate, "question" | "unanswered">): string {
  const hasEnded = unanswered === "reject" && question.type !== "tool_call";
  return hasEnded ? "To start again: `/forge implement`" : "To have it asked again: `/forge retry`";
}
