import type { Gate } from "../../domain/gates.ts";
import type { Implementation } from "../implement/implementation.ts";
import type { Word } from "./work-locally.ts";

/**
 * What may be answered without a person (`--yes`): a plan of low or medium risk, and money, both up to what the repository spends without being
 * asked. A high risk, a question, a failing test, a finding or a refused call is a person's to judge, always.
 */
export function answerByRules({ question }: Gate, { configuration }: Pick<Implementation, "configuration">): Word {
  const most = configuration?.safety.confirm_over_usd ?? 0;
  switch (question.type) {
    case "architecture_approval": {
      const isMild = question.risk === "low" || question.risk === "medium";
      return { is: isMild && question.highUsd <= most ? "yes" : "later" };
    }
    case "cost_overrun":
      return { is: question.limitUsd <= most ? "yes" : "later" };
    default:
      return { is: "later" };
  }
}
