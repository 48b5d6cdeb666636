import type { ModelCost } from "../domain/model-cost.ts";

/** The cost of the models, in a line: the last thing that is printed. */
export function costLine({ usd, tokens, cachedShare, calls, models }: ModelCost): string {
  if (calls === 0) return "cost: $0.00, no model was called";
  const used = `${tokens.toLocaleString("en-US")} tokens, ${Math.round(cachedShare * 100)} % of the input cached`;
  return `cost: $${usd.toFixed(4)} (${models.join(", ")}, ${calls} ${calls === 1 ? "call" : "calls"}, ${used})`;
}
