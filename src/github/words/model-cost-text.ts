import type { ModelCost } from "../../domain/review-report.ts";
import { usd } from "./amounts.ts";
import { foreignLine, type Wording } from "./wording.ts";

/** `$0.18 (claude-haiku-5-5, 61,000 tokens, 84 % cached)` */
export function modelCostText({ usd: paid, tokens, cachedShare, models }: ModelCost, wording: Wording): string {
  const names = models.map((model) => foreignLine(model.slice(model.indexOf("/") + 1), wording)).join(", ");
  return `${usd(paid)} (${names}, ${tokens.toLocaleString("en-US")} tokens, ${Math.round(cachedShare * 100)} % cached)`;
}
