import type { Command } from "../../../domain/commands.ts";
import type { NewEvent } from "../../../domain/events.ts";
import { type Gate, isOpenGate } from "../../../domain/gates.ts";
import type { IssueCommandGiven } from "../../../domain/inputs.ts";
import type { Refusal } from "../../../domain/refusals.ts";
import { atLeast } from "../../../domain/subjects.ts";
import { type Outcome, refuse } from "../../commands/command-result.ts";
import { answersTo } from "../../runs/definition.ts";
import { answerGate, findGate, refusedAnswer } from "../../runs/gates/gate-rules.ts";
import { shownGate } from "../ask-person.ts";
import { bounced } from "../bounce.ts";
import { pass } from "../finish.ts";
import { headOf, type Implementation, isLooked, type Looked } from "../implementation.ts";
import { enter, type Step, stepOf } from "../step.ts";
import type { Asking, IssueView } from "../view.ts";

type Answering = Extract<Command, { name: "approve" | "reject" }>;

/** `/forge approve` and `/forge reject`: the first answer to a gate counts, for the content it was asked about (GH-14a). */
export function giveVerdict(view: IssueView, input: IssueCommandGiven, command: Answering): Outcome {
  const gate = findGate(view.gates, command.gate);
  if ("reason" in gate) return refuse(gate);
  const { active: run } = view;
  const current = run && isLooked(run) && run.runId === gate.runId ? run : undefined;
  const head = current ? headNow(current, gate, input) : gate.headSha;
  const now = { head, at: input.at, isCurrent: current !== undefined };
  const refusal = refusedAnswer(gate, command.name, input.role ?? "none", now);
  if (refusal || !current) return refuse(refusal ?? { reason: "no_gate" });
  const own = command.name === "approve" ? ownWork(current, gate, input) : undefined;
  if (own) return refuse(own);
  return { decision: answer(view, current, gate, input, command) };
}

/** What a judgement of the change is about is the head that GitHub has at this moment: a push may not have been told yet (GH-14a). */
function headNow(run: Looked, { question }: Gate, { pull }: IssueCommandGiven): string {
  const isJudged = "treeSha" in question && run.pushed === headOf(run) && pull?.number === run.pull?.number;
  return isJudged && pull ? pull.ends.headSha : headOf(run);
}

/** GH-14: whoever asked for the work cannot be the only one who approves of a risk that is high or critical. */
function ownWork(run: Looked, { gate, question }: Gate, { by }: IssueCommandGiven): Refusal | undefined {
  const isRisky = "risk" in question && (question.risk === "high" || question.risk === "critical");
  const isBound = isRisky && run.configuration.safety.separation_of_duties !== false;
  return isBound && by.id === run.requestedBy.id ? { reason: "own_work", gate } : undefined;
}

/** The answer in the log, the gate's comment as it stands now, and what follows from a yes or a no. */
export function answer(
  view: Asking,
  run: Looked,
  gate: Gate,
  { by, at }: Pick<IssueCommandGiven, "by" | "at">,
  { name, note }: Pick<Answering, "name" | "note">,
) {
  const is = name === "approve" ? ("approved" as const) : ("rejected" as const);
  const { gate: settled, event: answered } = answerGate(run, gate, is, { by, at, note });
  const gates = run.gates.map((one) => (one.gate === gate.gate ? settled : one));
  const after = { ...run, gates };
  const step = is === "approved" ? approved(view, after, settled, at, note) : rejected(view, after, settled, by);
  const effects = [...shownGate(after, settled), ...(step.effects ?? [])];
  return stepOf(run, { ...step, events: [answered, ...step.events], effects, cancelJobs: true }, at);
}

/** What a yes was, in the log; where it says no more than that, it is not named here. */
const APPROVED: Partial<Record<Gate["question"]["type"], string>> = {
  architecture_approval: "approved the plan",
  security_finding: "accepted what the review found",
};

/** What follows from a yes. */
export function approved(view: Asking, run: Looked, { question, standing }: Gate, at: string, note?: string): Step {
  const by = "by" in standing ? standing.by : "a person";
  const { yes } = answersTo(view.pipeline, run.phase, question.type);
  const step: Step =
    yes === "next_phase"
      ? pass(view, run, `${by} ${APPROVED[question.type] ?? "said yes"}`, at)
      : { events: [], work: true };
  switch (question.type) {
    case "architecture_approval": {
      if (note !== undefined) {
        const change: NewEvent = { type: "plan.change_wanted", phase: "planning", payload: { instructions: note } };
        return { events: [change, enter(run, run.phase, `${by} approved with changes`)], work: true };
      }
      const accepted: NewEvent = { type: "plan.accepted", payload: { revision: question.revision } };
      return { ...step, events: [accepted, ...step.events] };
    }
    case "bounces_used": {
      const told = { from: "instruction", id: `I${run.instructions.length + 1}`, by } as const;
      const message = note ?? "Try once more, another way than before.";
      const feedback = [...run.feedback, { ...told, message }];
      const back = { cause: "instruction", reason: `${by} let it go on`, feedback } as const;
      return { events: bounced(view.pipeline, run, back, (run.bounces.instruction ?? 0) + 1), work: true };
    }
    case "question":
    case "tool_call":
    case "cost_overrun":
    case "security_finding":
    case "high_risk_change":
    case "test_failure":
    case "production_deploy":
      return step;
  }
}

function rejected(view: Asking, run: Looked, { question, gate, standing }: Gate, by: IssueCommandGiven["by"]): Step {
  const note = "note" in standing && standing.note !== undefined ? `: ${standing.note}` : "";
  const { no } = answersTo(view.pipeline, run.phase, question.type);
  switch (no) {
    case "ends":
      return { events: [{ type: "run.cancelled", payload: { reason: "rejected" }, actor: by }] };
    case "goes_on":
      return { events: [], work: true };
    case undefined: {
      const reason = `${by.login} rejected ${gate}${note}`;
      return { events: [{ type: "run.stopped", payload: { reason }, actor: by }] };
    }
    default:
      return no satisfies never;
  }
}

/**
 * `/forge answer`, or a plain reply while a question is open: by whoever may push, by who asked for the work and by who wrote the issue; a
 * plain reply of anybody else is talk among people, and nothing follows from it.
 */
export function giveText(
  view: IssueView,
  input: IssueCommandGiven,
  { text }: Extract<Command, { name: "answer" }>,
): Outcome {
  const { active: run } = view;
  const gate = view.gates.findLast((one) => one.question.type === "question" && isOpenGate(one));
  if (!run || !isLooked(run) || gate?.runId !== run.runId) return refuse({ reason: "no_question" });
  const { role = "none" } = input;
  if (!mayAnswer(run, input)) return refuse({ reason: "role", name: "answer", needs: "write", has: role });
  return { decision: answer(view, run, gate, input, { name: "approve", note: text }) };
}

/** Who was asked: whoever asked for the work and whoever wrote the issue, beside those who may push. */
function mayAnswer(run: Implementation, { by, role = "none" }: IssueCommandGiven): boolean {
  return atLeast(role, "write") || by.id === run.requestedBy.id || by.id === run.issue.body.by.id;
}
