import type { Gate, GateQuestion } from "../../../domain/gates.ts";
import { quotedAnswer } from "../command/model-answers.ts";
import { count, foreignLine, moment, type Wording } from "../wording.ts";
import { CAUSE_WORDS } from "../work/phase-words.ts";
import { lateWork } from "./late-words.ts";

type Question<T extends GateQuestion["type"]> = Extract<GateQuestion, { type: T }>;
export type WorkQuestion = Exclude<GateQuestion, { type: "tool_call" | "cost_overrun" | "production_deploy" }>;

/** All that is said of a question. */
interface GateWords {
  /** What is waited for, in words that follow "waiting for ". */
  readonly name: string;
  readonly first: (until: string) => string;
  /** How it is answered. */
  readonly how: (id: string, wording: Wording) => string;
  /** What an answer comes to. */
  readonly yes: string;
  readonly no?: string;
}

/** What is said of each question about the work on an issue. */
function wordsOf(question: WorkQuestion): GateWords {
  switch (question.type) {
    case "question":
      return {
        name: "an answer",
        first: (until) => `**A question** ${until}, without which the work cannot go on:`,
        how: (_, wording) =>
          `\n${quotedAnswer(question.question, wording)}\n\nReply here, or \`/forge answer <text>\`.`,
        yes: "the work goes on with the answer",
      };
    case "architecture_approval":
      return {
        name: "approval of the plan",
        first: (until) => `**The plan waits for approval** ${until}. It has its own comment.`,
        how: (id) =>
          `${yes(id, "have it carried out")} To have it changed: \`/forge approve ${id} <changes>\`. To end it: \`/forge reject ${id} <reason>\``,
        yes: "the plan is carried out",
        no: "nothing was changed",
      };
    case "security_finding":
      return {
        name: "a word on a critical security finding",
        first: (until) =>
          `**A critical security finding is open on #${question.pull}** ${until}, and the work did not get rid of it.`,
        how: (id) => `${yes(id, "have the work go on with it")} ${no(id)}`,
        yes: "the work goes on with the finding seen",
      };
    case "high_risk_change": {
      const { pull, risk = "high" } = question;
      return {
        name: `a yes to a change of ${risk} risk`,
        first: (until) => `**The change in #${pull} is of ${risk} risk and waits for a person's yes** ${until}.`,
        how: (id) =>
          `${yes(id, "have it made ready for merging")} An approving review of #${pull} counts too. ${no(id)}`,
        yes: `#${pull} is made ready`,
      };
    }
    case "test_failure":
      return {
        ...(question.notRun
          ? {
              name: "a word on tests that could not be run",
              first: (until) => `**The tests of #${question.pull} could not be run** ${until}.`,
              how: (id) => `${yes(id, "go on without them")} To try again: \`/forge retry\`. ${no(id)}`,
            }
          : {
              name: "a word on failing tests",
              first: (until) =>
                `**The tests of #${question.pull} fail, and it is not clear how to fix them** ${until}.`,
              how: (id) => `${yes(id, "go on with them as they are")} ${no(id)}`,
            }),
        yes: "the work goes on",
      };
    case "bounces_used":
      return {
        name: `a word on ${CAUSE_WORDS[question.cause].open}`,
        first: (until) => bounced(question, until),
        how: (id) => `${yes(id, "have one more round")} With a hint: \`/forge approve ${id} <hint>\`. ${no(id)}`,
        yes: "there is one more round",
      };
  }
}

function yes(id: string, what: string): string {
  return `To ${what}: \`/forge approve ${id}\`.`;
}

function no(id: string): string {
  return `To stop the work there, with all that is done kept: \`/forge reject ${id} <reason>\``;
}

/** What is waited for, in words that follow "waiting for ". */
export function gateName(question: GateQuestion): string {
  if (question.type === "tool_call") return "approval of a call";
  if (question.type === "production_deploy") return `a yes to the deployment to ${question.environment}`;
  return question.type === "cost_overrun" ? "a word on the budget" : wordsOf(question).name;
}

function bounced({ cause, limit, pull }: Question<"bounces_used">, until: string): string {
  const where = pull === undefined ? "" : ` on #${pull}`;
  const what =
    limit === 0
      ? `Nothing was changed for ${CAUSE_WORDS[cause].open}${where}`
      : `After ${count(limit, "round")} there are still ${CAUSE_WORDS[cause].open}${where}`;
  return `**${what}** ${until}.`;
}

/** What is asked of a person about the work on an issue, with the exact commands that answer it. */
export function workGateText(gate: Gate, question: WorkQuestion, wording: Wording): string {
  const { gate: id, deadline } = gate;
  const { first, how } = wordsOf(question);
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
  return [
    first(`(${id}, until ${moment(deadline)})`),
    how(id, wording),
    ...details.flatMap((text) => ["", text]),
    "",
    who(gate),
  ].join("\n");
}

const MAXIMUM_REASONS = 10;

function quotedReasons(reasons: readonly string[], wording: Wording): string[] {
  if (reasons.length === 0) return [];
  const shown = reasons
    .slice(0, MAXIMUM_REASONS)
    .map((reason) => `- ${foreignLine(reason, wording, { maximum: 400 })}`);
  return [shown.join("\n")];
}

function who(gate: Gate): string {
  const { needs, question } = gate;
  return `Who may answer: ${whoMay(needs)}${alsoAnswers(question)}. Nothing is spent while this waits; without an answer ${lateWork(gate)}, with all that is done kept.`;
}

/** GH-14: the requester may answer questions, and may not be the only one who approves of a high risk. */
export function alsoAnswers(question: GateQuestion): string {
  if (question.type === "question") return ", the person who requested the work, or the author of the issue";
  return isRisky(question)
    ? "; the person who requested the work only where the repository does not separate duties"
    : "";
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
  return { no: "the work stops there, with all that is done kept", ...wordsOf(question) };
}

/** The question that was asked, folded, for when it is answered. */
export function askedBefore(question: WorkQuestion, wording: Wording): string {
  if (question.type !== "question") return "";
  return `\n\n<details><summary>the question</summary>\n\n${quotedAnswer(question.question, wording)}\n\n</details>`;
}
