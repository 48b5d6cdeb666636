import type { Answer } from "../../domain/answers.ts";
import { type CommandSource, sourceKey } from "../../domain/command-source.ts";
import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { CommandGiven } from "../../domain/inputs.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { requestOf } from "./command-result.ts";

type Reaction = Extract<Effect, { kind: "comment.react" }>["payload"]["content"];

/** A reaction on the comment, where GitHub has one; the same for all commands of a comment, so that it is put there once. */
export function react(
  input: { readonly subject: Subject; readonly source: CommandSource },
  content: Reaction,
): Effect[] {
  const { subject, source } = input;
  if (source.kind === "review" || source.kind === "button" || source.kind === "label") return [];
  return [
    {
      kind: "comment.react",
      key: effectKey("comment.react", subjectKey(subject), sourceKey(source), content),
      payload: { comment: source.kind, commentId: Number(source.id), content },
    },
  ];
}

/** An answer in words where the command was given: in its thread, else in the conversation. */
export function reply(input: Pick<CommandGiven, "subject" | "source" | "index" | "thread">, answer: Answer): Effect {
  const { subject, source } = input;
  const thread = input.thread ?? (source.kind === "review_comment" ? Number(source.id) : undefined);
  return {
    kind: "comment.reply",
    key: effectKey("comment.reply", subjectKey(subject), sourceKey(source), requestOf(input)),
    payload: { ...defined({ thread }), answer },
  };
}
