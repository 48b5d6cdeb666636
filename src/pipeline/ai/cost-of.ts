import { addUsage, type RunReport } from "../../agents/library.ts";
import type { ModelCost } from "../../domain/model-cost.ts";
import { NO_USAGE } from "../../llm/ports.ts";

/** The total cost of agents. */
export function costOf(reports: readonly RunReport[]): ModelCost {
  const usage = reports.reduce((sum, { totals }) => addUsage(sum, totals.usage), NO_USAGE);
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return {
    usd: reports.reduce((sum, { totals }) => sum + totals.costUsd, 0),
    tokens: input + usage.outputTokens,
    cachedShare: input === 0 ? 0 : usage.cacheReadTokens / input,
    calls: reports.reduce((sum, { totals }) => sum + totals.modelCalls, 0),
    models: [...new Set(reports.flatMap(({ models }) => models))],
  };
}
