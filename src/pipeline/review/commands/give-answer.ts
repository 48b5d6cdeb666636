import type { Command } from "../../../domain/commands.ts";
import type { CommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { findGate, refusedAnswer } from "../../runs/gates/gate-rules.ts";
import { answerReview } from "../gates.ts";
import { isActive } from "../run-state.ts";
import type { SubjectView } from "../view.ts";

type Answering = Extract<Command, { name: "approve" | "reject" }>;

/**
 * `/forge approve` and `/forge reject`: the first answer to a gate counts, on the head for which it was asked (GH-14a), and the run goes on
 * with it. Who wrote the pull request is nobody special: neither a tool's call nor money is a judgement of their change (GH-14).
 */
export function giveAnswer({ gates = [], active }: SubjectView, input: CommandGiven, command: Answering): Outcome {
  const gate = findGate(gates, command.gate);
  if ("reason" in gate) return refuse(gate);
  const { at, by, role = "none", pull } = input;
  const run = isActive(active) && active.runId === gate.runId ? active : undefined;
  const now = { head: pull.ends.headSha, at, isCurrent: run !== undefined };
  const refusal = refusedAnswer(gate, command.name, role, now);
  if (refusal || !run) return refuse(refusal ?? { reason: "no_gate" });
  const is = command.name === "approve" ? "approved" : "rejected";
  return { decision: answerReview(run, gate, is, { by, at, note: command.note }) };
}
