import type { Answer } from "../../domain/answers.ts";
import { modelCostText } from "./model-cost-text.ts";
import { foreign, foreignCode, shortSha, type Wording } from "./wording.ts";

type Asked = Extract<Answer, { kind: "asked" }>;

/** What the prompt allows (see `agents/prompts/ask.md`). */
const MAXIMUM_ANSWER = 1_500;

/** The answer of a model, as a quote: nobody takes it for what Forge knows. What it cost goes last. */
export function askedText({ by, headSha, answer, cost }: Asked, wording: Wording): string {
  const quoted = foreign(answer, wording, MAXIMUM_ANSWER).split("\n").map(asQuote);
  return [
    `**To the question of ${foreignCode(by, wording)}**, by a model that read \`${shortSha(headSha)}\`:`,
    "",
    ...quoted,
    "",
    modelCostText(cost, wording),
  ].join("\n");
}

function asQuote(line: string): string {
  return line === "" ? ">" : `> ${line}`;
}
