import type { Command } from "../../../domain/commands.ts";
import { isOpenGate } from "../../../domain/gates.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import { atLeast } from "../../../safety/permissions.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { type Implementation, isLooked } from "../implementation.ts";
import type { IssueView } from "../view.ts";
import { answer } from "./give-verdict.ts";

type Answering = Extract<Command, { name: "answer" }>;

/**
 * `/forge answer`, or a plain reply while a question is open: by whoever may push, by who asked for the work and by who wrote the issue; a
 * plain reply of anybody else is talk among people, and nothing follows from it.
 */
export function giveText(view: IssueView, input: IssueCommandGiven, { text }: Answering): Outcome {
  const { active: run } = view;
  const gate = view.gates.findLast((one) => one.question.type === "question" && isOpenGate(one));
  if (!run || !isLooked(run) || gate?.runId !== run.runId) return refuse({ reason: "no_question" });
  const { role = "none" } = input;
  if (!mayAnswer(run, input)) return refuse({ reason: "role", name: "answer", needs: "write", has: role });
  return { decision: answer(view, run, gate, input, { name: "approve", note: text }) };
}

/** Who was asked: whoever asked for the work and whoever wrote the issue, beside those who may push. */
export function mayAnswer(run: Implementation, { by, role = "none" }: IssueCommandGiven): boolean {
  return atLeast(role, "write") || by.id === run.requestedBy.id || by.id === run.issue.body.by.id;
}
