import { createHash } from "node:crypto";
import type { Command } from "../../../domain/commands.ts";
import { defined } from "../../../domain/defined.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import type { Outcome } from "../../runs/commands/deed.ts";
import { NOTHING } from "../../runs/decision.ts";

/** By this a question is known to be the one that was taken; its text is read again where it stands. */
export function questionHash(question: string): string {
  return createHash("sha256").update(question).digest("hex");
}

/** `/forge ask`: a model looks for the answer, which takes a while; 🚀 and the answer come together. Also where Forge is paused: somebody asked. */
export function giveAsk(input: CommandGiven, { question }: Extract<Command, { name: "ask" }>): Outcome {
  const { subject, source, index, by, at, thread } = input;
  const here = thread ?? (source.kind === "review_comment" ? Number(source.id) : undefined);
  const payload = {
    ...{ subject, source, index, by, questionHash: questionHash(question) },
    ...defined({ thread: here }),
  };
  return {
    goesOn: true,
    decision: { ...NOTHING, jobs: [{ kind: "ask", key: `ask:${subjectKey(subject)}`, payload, runAt: at }] },
  };
}
