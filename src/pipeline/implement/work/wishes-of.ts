import type { Wish } from "../../../agents/wishes.ts";
import type { Implementation } from "../implementation.ts";

/** What people said to the work since the issue was read, for whoever works next; oldest first. */
export function wishesOf({ gates, instructions, requestedBy }: Implementation): Wish[] {
  const answered = gates.flatMap(({ question, standing }): Wish[] => {
    if (standing.is !== "approved" || standing.note === undefined) return [];
    const { by, note: text } = standing;
    return question.type === "question"
      ? [{ as: "answer", by, text, question: question.question }]
      : [{ as: "note", by, text }];
  });
  const said = new Set(answered.map(({ text }) => text));
  const others = instructions.filter((text) => !said.has(text));
  return [...others.map((text): Wish => ({ as: "instructions", by: requestedBy.login, text })), ...answered];
}
