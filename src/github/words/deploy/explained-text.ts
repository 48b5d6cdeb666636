import type { Explanation } from "../../../domain/explanations.ts";
import { EXPLANATION_LIMITS } from "../../../domain/explanations.ts";
import { modelCostText, quoted } from "../command/model-answers.ts";
import { foreignCode, foreignLine, type Wording } from "../wording.ts";

/** What a model says of a verdict, as a quote below it: nobody takes it for what was measured, or for a decision. */
export function explainedText({ words, places, cost }: Explanation, wording: Wording): string {
  const lines = places.map(
    ({ path, line, says }) =>
      `> - ${foreignCode(`${path}:${line}`, wording)}: ${foreignLine(says, wording, { maximum: EXPLANATION_LIMITS.place })}`,
  );
  return [
    `**Explained by a model**, ${modelCostText(cost, wording)}. It can be wrong, and decides nothing:`,
    "",
    quoted(words, wording, EXPLANATION_LIMITS.words),
    ...(lines.length === 0 ? [] : [">", ...lines]),
  ].join("\n");
}
