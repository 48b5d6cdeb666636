import type { Answer } from "../../domain/answers.ts";
import { quotedAnswer } from "./asked-text.ts";
import { modelCostText } from "./model-cost-text.ts";
import { foreignCode, type Wording } from "./wording.ts";

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
