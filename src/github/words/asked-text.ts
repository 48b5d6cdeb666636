import type { Answer } from "../../domain/answers.ts";
import { modelCostText } from "./model-cost-text.ts";
import { foreign, foreignCode, shortSha, type Wording } from "./wording.ts";

type Asked = Extract<Answer, { kind: "asked" }>;

/** What the prompt allows (see `agents/prompts/ask.md`). */
const MAXIMUM_ANSWER = 1_500;

/** The answer of a model, as a quote: nobody takes it for what Forge knows. What it cost goes last. */
export function askedText({ by, headSha, answer, cost }: Asked, wording: Wording): string {
  return [
    `**To the question of ${foreignCode(by, wording)}**, by a model that read \`${shortSha(headSha)}\`:`,
    "",
    quotedAnswer(answer, wording),
    "",
    modelCostText(cost, wording),
  ].join("\n");
}

/** Words of a model between ours. */
export function quotedAnswer(answer: string, wording: Wording): string {
  return quoted(answer, wording, MAXIMUM_ANSWER);
}

/** Words of others as a quote; what is beyond `maximum` characters is cut. */
export function quoted(text: string, wording: Wording, maximum: number): string {
  return foreign(text, wording, maximum).split("\n").map(asQuote).join("\n");
}

function asQuote(line: string): string {
  return line === "" ? ">" : `> ${line}`;
}
