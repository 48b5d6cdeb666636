import type { Answer } from "../../domain/answers.ts";
import { quotedAnswer } from "./asked-text.ts";
import { count, foreignLine, shortSha, type Wording } from "./wording.ts";

type WorkedOn = Extract<Answer, { kind: "worked_on" }>;

/** What is said to a person's review comment, or to their review as a whole: what was done about it and what was not, in the implementer's words. */
export function workedOnText({ answers, headSha, changed }: WorkedOn, wording: Wording): string {
  const done = answers.filter((one) => one.done).length;
  const where = changed ? ` in \`${shortSha(headSha)}\`` : ", without a change";
  const [only] = answers;
  if (answers.length === 1 && only?.asked === undefined) {
    const head = only!.done ? `**Done**${where}.` : `**Not done.** ${AGAIN}`;
    return `${head}\n\n${quotedAnswer(only!.answer, wording)}`;
  }
  const all = `${done} of ${count(answers.length, "point")}`;
  const head =
    done === answers.length ? `**Done**${where}.` : `**Done: ${all}**${done === 0 ? "." : `${where}.`} ${AGAIN}`;
  const list = answers.map((one) => {
    const asked = one.asked === undefined ? "" : ` ("${foreignLine(one.asked, wording, { maximum: 120 })}")`;
    return `- **${one.done ? "Done" : "Not done"}**${asked}: ${foreignLine(one.answer, wording, { maximum: 600 })}`;
  });
  return [head, "", ...list].join("\n");
}

const AGAIN = "If it should be all the same, request changes in another review.";
