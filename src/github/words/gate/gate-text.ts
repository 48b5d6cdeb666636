import type { Gate } from "../../../domain/gates.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { fence } from "../../../safety/code-text.ts";
import { redactBeginning } from "../../../safety/redact-beginning.ts";
import { foreignCode, foreignLine, moment, shortSha, usd, type Wording, withFullStop } from "../wording.ts";
import { deployGateText, deployPlan } from "./deploy-gate-text.ts";
import { againAfter, lateWork } from "./late-words.ts";
import { askedBefore, whoMay, workGateText, workOutcomes } from "./work-gate-text.ts";

/** What is asked of a person, with the exact commands that answer it; later, what they said. `on`: where the comment stands. */
export function gateText(gate: Gate, wording: Wording, on: Subject["kind"] = "pull_request"): string {
  const { question, standing } = gate;
  const work = workAt(gate, on);
  if (standing.is !== "open") return settledText(gate, work, wording);
  switch (question.type) {
    case "tool_call":
      return askForCall(gate, question, work, wording);
    case "cost_overrun":
      return askForMoney(gate, question, work, wording, on);
    case "production_deploy":
      return deployGateText(gate, question, wording);
    case "question":
    case "architecture_approval":
    case "security_finding":
    case "high_risk_change":
    case "test_failure":
    case "bounces_used":
      return workGateText(gate, question, wording);
  }
}

/** What waits, in words: the review of a head, or the work on an issue. */
interface Work {
  readonly whole: string;
  readonly short: string;
  /** What it has, when it ends before its time: "found" or "done". */
  readonly had: string;
  readonly extend: string;
  /** A sentence without its full stop. */
  readonly again: string;
  /** What follows without an answer, where that is not what follows from a no. */
  readonly late?: string;
}

function workAt(gate: Gate, on: Subject["kind"]): Work {
  const { headSha, unanswered, question } = gate;
  if (question.type === "production_deploy") {
    const { environment } = question;
    const whole = `the deployment of \`${shortSha(headSha)}\` to ${environment}`;
    const again = `To have it asked again: \`/forge deploy ${environment}\``;
    return { whole, short: "the deployment", had: "done", extend: "", again };
  }
  return on === "issue"
    ? {
        whole: "the work on this issue",
        short: "the work",
        had: "done",
        extend: "/forge extend usd 5",
        again: againAfter(gate),
        late: lateWork(gate),
      }
    : {
        whole: `the review of \`${shortSha(headSha)}\``,
        short: "the review",
        had: "found",
        extend: "/forge extend usd 2",
        again: "To have it asked again: `/forge review`",
        ...(unanswered === "approve" ? { late: "the review goes on up to the full budget" } : {}),
      };
}

type Question<T extends Gate["question"]["type"]> = Extract<Gate["question"], { type: T }>;

function askForCall(
  { gate, deadline, needs }: Gate,
  question: Question<"tool_call">,
  { whole, short, late }: Work,
  wording: Wording,
): string {
  const tool = foreignCode(question.tool, wording);
  return [
    `**${capital(whole)} waits for approval of one call of ${tool}** (${gate}, until ${moment(deadline)}).`,
    `To have exactly this call run: \`/forge approve ${gate}\`. To have ${short} go on without it: \`/forge reject ${gate} <reason>\``,
    "",
    argumentsOf(question, wording),
    "",
    `Why it is asked: ${withFullStop(foreignLine(question.reason, wording))} Who may answer: ${whoMay(needs)}. Nothing is spent while this waits; without an answer ${late ?? `${short} goes on without the call`}.`,
  ].join("\n");
}

function askForMoney(
  { gate, deadline, needs }: Gate,
  question: Question<"cost_overrun">,
  { whole, short, had, extend, late }: Work,
  wording: Wording,
  on: Subject["kind"],
): string {
  const { usedUsd, limitUsd, next, budget } = question;
  const of = budgetWords(budget, on);
  const raise = RAISED.test(budget ?? "phase") ? ` To raise the budget and go on: \`${extend}\`` : "";
  return [
    `**${usd(usedUsd)} of ${usd(limitUsd)}${of} is spent, and ${whole} is not done** (${gate}, until ${moment(deadline)}). Next: ${foreignLine(next, wording)}.`,
    `To have it go on up to the full budget: \`/forge approve ${gate}\`. To end it with what was ${had}: \`/forge reject ${gate}\`.${raise}`,
    "",
    `Who may answer: ${whoMay(needs)}. Nothing is spent while this waits; without an answer ${late ?? `${short} ends with what was ${had}`}.`,
  ].join("\n");
}

/** Budgets that `/forge extend` raises: those of a day are the repository's or the operator's. */
const RAISED = /^(?:phase|run|subject)/;

/** Whose budget it is, in words that follow an amount. What a review has is said by what waits. */
function budgetWords(budget: string | undefined, on: Subject["kind"]): string {
  if (budget === "subject") return on === "issue" ? " for this issue" : " for this pull request";
  return BUDGETS.get(budget) ?? "";
}

const BUDGETS: ReadonlyMap<string | undefined, string> = new Map([
  ["phase:planning", " for the plan"],
  ["phase:implementation", " for the changes"],
  ["phase:testing", " for looking into failing tests"],
  ["run", " for this run"],
  ["repository", " for this repository today (UTC)"],
  ["installation", " for all repositories of this installation today (UTC)"],
  ["day", " for all of Forge today (UTC)"],
]);

function settledText({ gate, question, standing, headSha }: Gate, work: Work, wording: Wording): string {
  const { yes, no } = outcomes(question, work, wording);
  const asked = whatWasAsked(question, wording);
  switch (standing.is) {
    case "approved": {
      const what = question.type === "question" ? "answered" : "approved";
      return `**${gate} ${what}** by ${foreignCode(standing.by, wording)}: ${yes}.${noteOf(standing.note, wording)}${asked}`;
    }
    case "rejected":
      return `**${gate} rejected** by ${foreignCode(standing.by, wording)}: ${no}.${noteOf(standing.note, wording)}${asked}`;
    case "timed_out": {
      return `**${gate} was not answered in time**: ${work.late ?? no}. ${work.again}${asked}`;
    }
    case "voided": {
      const why = standing.byHead
        ? `it was asked for \`${shortSha(headSha)}\`, and the branch is at \`${shortSha(standing.byHead)}\` now. If the new head needs an answer, Forge asks again.`
        : `${work.short} that asked has ended or was stopped.`;
      return `**${gate} is void**: ${why}${asked}`;
    }
    case "open":
      return "";
  }
}

/** The question, folded, for when it is answered; empty where the answer says it all. */
function whatWasAsked(question: Gate["question"], wording: Wording): string {
  switch (question.type) {
    case "production_deploy":
      return `\n\n<details><summary>what was asked</summary>\n\n${deployPlan(question, wording).join("\n\n")}\n\n</details>`;
    case "tool_call":
      return `\n\n<details><summary>the call</summary>\n\n${argumentsOf(question, wording)}\n\n</details>`;
    case "cost_overrun":
      return "";
    case "question":
    case "architecture_approval":
    case "security_finding":
    case "high_risk_change":
    case "test_failure":
    case "bounces_used":
      return askedBefore(question, wording);
  }
}

function outcomes(
  question: Gate["question"],
  { short, had }: Work,
  wording: Wording,
): { readonly yes: string; readonly no: string } {
  switch (question.type) {
    case "tool_call":
      return {
        yes: `this call of ${foreignCode(question.tool, wording)} runs`,
        no: `${short} goes on without the call`,
      };
    case "cost_overrun":
      return {
        yes: `${short} goes on up to its full budget`,
        no: `${short} ends with what was ${had}`,
      };
    case "production_deploy":
      return {
        yes: `\`${shortSha(question.sha)}\` is deployed to ${question.environment}`,
        no: `\`${shortSha(question.sha)}\` is not deployed to ${question.environment}`,
      };
    case "question":
    case "architecture_approval":
    case "security_finding":
    case "high_risk_change":
    case "test_failure":
    case "bounces_used":
      return workOutcomes(question);
  }
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** All of it, or as much as was kept, and then how much that is: who approves a call has to know what they have not seen. */
function argumentsOf({ input, inputCharacters }: Question<"tool_call">, wording: Wording): string {
  const shown = fence(redactBeginning(input, wording.redact), "json");
  const [some, all] = [input.length, inputCharacters].map((length) => length.toLocaleString("en-US"));
  return input.length < inputCharacters ? `${shown}\nOnly the first ${some} of ${all} characters are shown.` : shown;
}

function noteOf(note: string | undefined, wording: Wording): string {
  return note ? `\n> ${foreignLine(note, wording)}` : "";
}
