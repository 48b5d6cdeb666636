import type { Gate } from "../../domain/gates.ts";
import { fence } from "../../safety/code-text.ts";
import { usd } from "./amounts.ts";
import { moment } from "./status-text.ts";
import { foreignCode, foreignLine, shortSha, type Wording, withFullStop } from "./wording.ts";

/** What is asked of a person, with the exact commands that answer it; later, what they said. */
export function gateText(gate: Gate, wording: Wording): string {
  const { question, standing } = gate;
  if (standing.is !== "open") return settledText(gate, wording);
  return question.type === "tool_call" ? askForCall(gate, question, wording) : askForMoney(gate, question, wording);
}

type Question<T extends Gate["question"]["type"]> = Extract<Gate["question"], { type: T }>;

function askForCall({ gate, headSha, deadline, needs }: Gate, question: Question<"tool_call">, wording: Wording) {
  const tool = foreignCode(question.tool, wording);
  return [
    `**The review of \`${shortSha(headSha)}\` waits for approval of one call of ${tool}** (${gate}, until ${moment(deadline)}).`,
    `To have exactly this call run: \`/forge approve ${gate}\`. To have the review go on without it: \`/forge reject ${gate} <reason>\``,
    "",
    argumentsOf(question, wording),
    "",
    `Why it is asked: ${withFullStop(foreignLine(question.reason, wording))} Who may answer: ${whoMay(needs)}. Nothing is spent while this waits; without an answer the review goes on without the call.`,
  ].join("\n");
}

function askForMoney({ gate, headSha, deadline, needs }: Gate, question: Question<"cost_overrun">, wording: Wording) {
  const { usedUsd, limitUsd, next } = question;
  return [
    `**${usd(usedUsd)} of ${usd(limitUsd)} is spent, and the review of \`${shortSha(headSha)}\` is not done** (${gate}, until ${moment(deadline)}). Next: ${foreignLine(next, wording)}.`,
    `To have it go on up to the full budget: \`/forge approve ${gate}\`. To end it with what was found: \`/forge reject ${gate}\`. To raise the budget and go on: \`/forge extend usd 2\``,
    "",
    `Who may answer: ${whoMay(needs)}. Nothing is spent while this waits; without an answer the review ends with what was found.`,
  ].join("\n");
}

function settledText({ gate, question, standing, headSha }: Gate, wording: Wording): string {
  const { yes, no } =
    question.type === "tool_call"
      ? { yes: `this call of ${foreignCode(question.tool, wording)} runs`, no: "the review goes on without the call" }
      : { yes: "the review goes on up to its full budget", no: "the review ends with what was found" };
  const call =
    question.type === "tool_call"
      ? `\n\n<details><summary>the call</summary>\n\n${argumentsOf(question, wording)}\n\n</details>`
      : "";
  switch (standing.is) {
    case "approved":
      return `**${gate} approved** by ${foreignCode(standing.by, wording)}: ${yes}.${noteOf(standing.note, wording)}${call}`;
    case "rejected":
      return `**${gate} rejected** by ${foreignCode(standing.by, wording)}: ${no}.${noteOf(standing.note, wording)}${call}`;
    case "timed_out":
      return `**${gate} was not answered in time**: ${no}. To have it asked again: \`/forge review\`${call}`;
    case "voided": {
      const why = standing.byHead
        ? `it was asked for \`${shortSha(headSha)}\`, and the branch is at \`${shortSha(standing.byHead)}\` now. If the new head needs an answer, that is asked anew.`
        : "the review that asked has ended or was stopped.";
      return `**${gate} is void**: ${why}${call}`;
    }
    default:
      return "";
  }
}

/** All of it, or as much as was kept, and then how much that is: who approves a call has to know what they have not seen. */
function argumentsOf({ input, inputCharacters }: Question<"tool_call">, wording: Wording): string {
  const shown = fence(wording.redact(input), "json");
  const [some, all] = [input.length, inputCharacters].map((length) => length.toLocaleString("en-US"));
  return input.length < inputCharacters ? `${shown}\nOnly the first ${some} of ${all} characters are shown.` : shown;
}

function noteOf(note: string | undefined, wording: Wording): string {
  return note ? `\n> ${foreignLine(note, wording)}` : "";
}

function whoMay(needs: Gate["needs"]): string {
  return needs === "write" ? "push permission" : `${needs} permission, as the risk is critical`;
}
