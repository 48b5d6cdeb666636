import type { Gate, GateQuestion } from "../../domain/gates.ts";
import type { Refusal } from "../../domain/refusals.ts";
import { gateName as gateNameThere, workOutcomes } from "../../github/words/gate/work-gate-text.ts";
import { plainLine } from "../../safety/plain-line.ts";
import { dollars, plainBlock } from "../terminal.ts";

/** The question at a gate, with the words that the user can type at a terminal. */
export function gateWords({ gate, question }: Gate, mayType: boolean): string {
  const { first, how } = asked(question);
  const reasons = "reasons" in question ? question.reasons.map((reason) => `  - ${plainLine(reason)}`) : [];
  const tried =
    "tried" in question && question.tried.length > 0
      ? ["tried so far:", ...question.tried.map((one) => `  - ${plainLine(one)}`)]
      : [];
  const typed = mayType ? [`(${how}; nothing: leave it open and end here)`] : [];
  return [`${gate}: ${first}`, ...reasons, ...tried, ...typed, ""].join("\n");
}

/** Questions without words here use those of GitHub. */
function asked(question: GateQuestion): { readonly first: string; readonly how: string } {
  switch (question.type) {
    case "question":
      return { first: `a question\n${plainBlock(question.question, "  ")}`, how: "type the answer" };
    case "architecture_approval":
      return { first: "carry out this plan?", how: "yes, no, or what is to be changed in it" };
    case "cost_overrun": {
      const spent = `${dollars(question.usedUsd)} of ${dollars(question.limitUsd)} are spent`;
      return { first: `${spent}; next: ${plainLine(question.next)}. Go on?`, how: "yes or no" };
    }
    case "tool_call":
      return {
        first: `may the agent call ${plainLine(question.tool)}? ${plainLine(question.reason)}\n${plainBlock(question.input, "  ")}`,
        how: "yes, or no and why",
      };
    case "production_deploy":
      return {
        first: `may ${question.sha.slice(0, 7)} be deployed to ${question.environment}?`,
        how: "yes, or no and why",
      };
    case "high_risk_change":
      return { first: `the change is of ${question.risk ?? "high"} risk; is it to be handed over?`, how: "yes or no" };
    case "bounces_used":
      return {
        first: `${question.cause} sent the work back ${question.limit} times already`,
        how: "yes: once more, yes and how, or no: stop there and keep what is done",
      };
    case "security_finding":
    case "test_failure": {
      const { yes, no } = workOutcomes(question);
      return { first: gateNameThere(question), how: `yes: ${yes}, no: ${no}` };
    }
  }
}

/** The reason to wait, in words that follow "waits for ". */
export function gateName(question: GateQuestion): string {
  return NAMES[question.type] ?? gateNameThere(question);
}

/** Where the terminal has no number of a pull request to name, or no comment that shows more. */
const NAMES: Partial<Readonly<Record<GateQuestion["type"], string>>> = {
  tool_call: "a word on a call of a tool",
  architecture_approval: "a word on the plan",
  high_risk_change: "a word on a change of high risk",
  bounces_used: "a word on what keeps coming back",
};

/** Why a word at the terminal was not taken. */
export function refusalWords(refusal: Refusal): string {
  switch (refusal.reason) {
    case "nothing_to_resume":
      return refusal.limit
        ? `It ended at its limit of ${refusal.limit}: raise that first, with --extend ${refusal.limit}=<n>.`
        : "There is nothing to resume: the run has ended or does not exist.";
    case "above_ceiling":
      return refusal.most > 0
        ? `At most ${refusal.most} can be added to the limit of ${refusal.limit}.`
        : `The limit of ${refusal.limit} cannot be raised again.`;
    case "nothing_to_extend":
      return "There is no limit to raise: that run has ended.";
    case "at_work":
      return "The run is at work; stop it first to tell it something.";
    case "run_limit":
      return `Too many runs on this number already (${refusal.limit}). Choose another one with --number.`;
    case "gate_closed":
      return `${refusal.gate} is closed.`;
    default:
      return `That was refused: ${refusal.reason.replaceAll("_", " ")}.`;
  }
}
