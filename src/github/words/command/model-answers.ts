import type { Answer } from "../../../domain/answers.ts";
import type { ModelCost } from "../../../domain/model-cost.ts";
import { count, foreign, foreignCode, foreignLine, shortSha, usd, type Wording } from "../wording.ts";

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

/** `$0.18 (claude-haiku-5-5, 61,000 tokens, 84 % cached)` */
export function modelCostText({ usd: paid, tokens, cachedShare, models }: ModelCost, wording: Wording): string {
  const names = models.map((model) => foreignLine(model.slice(model.indexOf("/") + 1), wording)).join(", ");
  return `${usd(paid)} (${names}, ${tokens.toLocaleString("en-US")} tokens, ${Math.round(cachedShare * 100)} % cached)`;
}

type Replied = Extract<Answer, { kind: "replied" }>;

/** What is said to a reply in the thread of a finding: what became of it, why a model thinks so, and what that cost. */
export function repliedText({ findingId, by, outcome, answer, cost }: Replied, wording: Wording): string {
  const id = `\`${findingId}\``;
  const login = foreignCode(by, wording);
  const first = {
    withdrawn: `**Withdrawn**: ${id} is dismissed on the word of ${login}. To take that back: \`/forge undismiss ${findingId}\``,
    stands: `${id} stands. Wrong or accepted all the same? \`/forge dismiss <reason>\` in this thread`,
    kept: `${id} is not withdrawn on a reply alone. Where it is wrong or accepted: \`/forge dismiss <reason>\` in this thread`,
  }[outcome];
  return [first, "", quotedAnswer(answer, wording), "", modelCostText(cost, wording)].join("\n");
}

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

const AGAIN = "To have it done anyway, request changes in another review.";
