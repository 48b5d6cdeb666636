import { EXPLANATION_LIMITS, type Explanation } from "../../../domain/explanations.ts";
import { modelCostText, quoted } from "../command/model-answers.ts";
import { foreignCode, foreignLine, type Wording } from "../wording.ts";

/** What a model says of a verdict, as a quote below it: nobody takes it for what was measured, or for a decision. */
export function explainedText({ of, words, places, cost }: Explanation, wording: Wording): string {
  const lines = places.map(
    ({ path, line, says }) =>
      `> - ${foreignCode(`${path}:${line}`, wording)}: ${foreignLine(says, wording, { maximum: EXPLANATION_LIMITS.place })}`,
  );
  const what = of.is === "proposed" ? "Looked at by a model" : "Explained by a model";
  return [
    `**${what}**, ${modelCostText(cost, wording)}. It can be wrong, and decides nothing:`,
    "",
    quoted(words, wording, EXPLANATION_LIMITS.words),
    ...(lines.length === 0 ? [] : [">", ...lines]),
  ].join("\n");
}

/** More careful steps that a model proposes, and how a person has them taken; the plan stands until then. */
export function proposedSteps({ shares }: Explanation, environment: string, planned: readonly number[]): string[] {
  if (shares === undefined) return [];
  const plan = planned.map((share) => `${share} %`).join(", ");
  const proposed = shares.map((share) => `${share} %`).join(", ");
  return [
    `The model proposes smaller steps: ${proposed} of the traffic. The plan is still ${plan}. To use the smaller steps, set \`deploy.${environment}.steps: [${shares.join(", ")}]\` in \`.github/forge.yml\`, then comment \`/forge deploy ${environment}\` (maintain permission).`,
  ];
}
