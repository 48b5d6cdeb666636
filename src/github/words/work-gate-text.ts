import type { Gate, GateQuestion } from "../../domain/gates.ts";
import type { BounceCause } from "../../domain/implementation.ts";
import { quotedAnswer } from "./model-answers.ts";
import { moment } from "./status-text.ts";
import { count, foreignLine, type Wording } from "./wording.ts";

type Question<T extends GateQuestion["type"]> = Extract<GateQuestion, { type: T }>;
export type WorkQuestion = Exclude<GateQuestion, { type: "tool_call" | "cost_overrun" }>;

/** What is waited for, in words that follow "waiting for ". */
export function gateName(question: GateQuestion): string {
  switch (question.type) {
    case "tool_call":
      return "approval of a call";
    case "cost_overrun":
      return "a word on the budget";
    case "architecture_approval":
      return "approval of the plan";
    case "question":
      return "an answer";
    case "security_finding":
      return "a word on a critical security finding";
    case "high_risk_change":
      return `a yes to a change of ${question.risk ?? "high"} risk`;
    case "test_failure":
      return question.notRun ? "a word on tests that could not be run" : "a word on failing tests";
    case "bounces_used":
      return `a word on ${CAUSES[question.cause]}`;
  }
}

const CAUSES: Readonly<Record<BounceCause, string>> = {
  review: "findings of the review",
  tests: "failing or weakened tests",
  coverage: "lines that no test reaches",
  ci: "failures of the project's CI",
  person: "changes that were requested",
  instruction: "open points of what was asked for",
  conflict: "conflicts with the base branch",
};

/** What is asked of a person about the work on an issue, with the exact commands that answer it. */
export function workGateText(gate: Gate, question: WorkQuestion, wording: Wording): string {
  const { gate: id, deadline } = gate;
  const { first, how } = ask(id, `(${id}, until ${moment(deadline)})`, question, wording);
  const details = [
    ...quotedReasons("reasons" in question ? question.reasons : [], wording),
    ...("tried" in question && question.tried.length > 0
      ? [
          `What was tried: ${question.tried
            .slice(0, MAXIMUM_REASONS)
            .map((one) => foreignLine(one, wording))
            .join("; ")}.`,
        ]
      : []),
  ];
  return [first, how, ...details.flatMap((text) => ["", text]), "", who(gate)].join("\n");
}

const MAXIMUM_REASONS = 10;

function quotedReasons(reasons: readonly string[], wording: Wording): string[] {
  if (reasons.length === 0) return [];
  const shown = reasons
    .slice(0, MAXIMUM_REASONS)
    .map((reason) => `- ${foreignLine(reason, wording, { maximum: 400 })}`);
  return [shown.join("\n")];
}

function ask(id: string, until: string, question: WorkQuestion, wording: Wording): { first: string; how: string } {
  const yes = (what: string) => `To ${what}: \`/forge approve ${id}\`.`;
  const no = `To stop the work there, with all that is done kept: \`/forge reject ${id} <reason>\``;
  switch (question.type) {
    case "question":
      return {
        first: `**A question** ${until}, without which the work cannot go on:`,
        how: `\n${quotedAnswer(question.question, wording)}\n\nReply here, or \`/forge answer <text>\`.`,
      };
    case "architecture_approval":
      return {
        first: `**The plan waits for approval** ${until}. It stands in a comment of its own.`,
        how: `${yes("have it carried out")} To have it changed: \`/forge approve ${id} <changes>\`. To end it: \`/forge reject ${id} <reason>\``,
      };
    case "security_finding":
      return {
        first: `**A critical security finding is open on #${question.pull}** ${until}, and the work did not get rid of it.`,
        how: `${yes("have the work go on with it")} ${no}`,
      };
    case "high_risk_change":
      return {
        first: `**The change in #${question.pull} is of ${question.risk ?? "high"} risk and waits for a person's yes** ${until}.`,
        how: `${yes("have it made ready for merging")} An approving review of #${question.pull} counts too. ${no}`,
      };
    case "test_failure":
      if (question.notRun) {
        return {
          first: `**The tests of #${question.pull} could not be run** ${until}.`,
          how: `${yes("go on without them")} To try again: \`/forge retry\`. ${no}`,
        };
      }
      return {
        first: `**The tests of #${question.pull} fail, and it is not clear how to mend them** ${until}.`,
        how: `${yes("go on with them as they are")} ${no}`,
      };
    case "bounces_used":
      return {
        first: bounced(question, until),
        how: `${yes("have one more round")} With a hint: \`/forge approve ${id} <hint>\`. ${no}`,
      };
  }
}

function bounced({ cause, limit, pull }: Question<"bounces_used">, until: string): string {
  const where = pull === undefined ? "" : ` on #${pull}`;
  const what =
    limit === 0
      ? `Nothing was changed for ${CAUSES[cause]}${where}`
      : `After ${count(limit, "round")} there are still ${CAUSES[cause]}${where}`;
  return `**${what}** ${until}.`;
}

function who({ needs, question }: Gate): string {
  return `Who may answer: ${whoMay(needs)}${beside(question)}. Nothing is spent while this waits; without an answer the work stands still, with all that is done kept.`;
}

/** GH-14: whoever asked may answer what was asked of them, and may not be the only one who approves of a high risk. */
export function beside(question: GateQuestion): string {
  if (question.type === "question") return ", whoever asked for the work, or whoever wrote the issue";
  return isRisky(question) ? "; whoever asked for the work only where the repository does not separate duties" : "";
}

function isRisky(question: GateQuestion): boolean {
  return "risk" in question && (question.risk === "high" || question.risk === "critical");
}

/** "push permission". */
export function whoMay(needs: Gate["needs"]): string {
  return needs === "write" ? "push permission" : `${needs} permission, as the risk is critical`;
}

/** What an answer to such a question comes to. */
export function workOutcomes(question: WorkQuestion): { readonly yes: string; readonly no: string } {
  const no = "the work stops there, with all that is done kept";
  switch (question.type) {
    case "question":
      return { yes: "the work goes on with the answer", no };
    case "architecture_approval":
      return { yes: "the plan is carried out", no: "nothing was changed" };
    case "security_finding":
      return { yes: "the work goes on with the finding seen", no };
    case "high_risk_change":
      return { yes: `#${question.pull} is made ready`, no };
    case "test_failure":
      return { yes: "the work goes on", no };
    case "bounces_used":
      return { yes: "there is one more round", no };
  }
}

/** The question that was asked, folded, for when it is answered. */
export function askedBefore(question: WorkQuestion, wording: Wording): string {
  if (question.type !== "question") return "";
  return `\n\n<details><summary>the question</summary>\n\n${quotedAnswer(question.question, wording)}\n\n</details>`;
}
