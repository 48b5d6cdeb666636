import {
  type Calibration,
  calibrate,
  calibrated,
  estimateRequestTokens,
  estimateTextTokens,
} from "../../llm/estimate-tokens.ts";
import type { Model } from "../../llm/ports.ts";

/** The process's estimates of how models count tokens, shared by all its runs. */
export interface TokenSense {
  /** The same model, listened to: each answer says how it counts. */
  listen(model: Model): Model;
  /** Tokens of a text as this model would count them. */
  estimate(model: string, text: string): number;
}

export function createTokenSense(): TokenSense {
  let known: Calibration = {};
  return {
    estimate: (model, text) => calibrated(known, model, estimateTextTokens(text)),
    listen: (model) => ({
      ...model,
      step: async (request, options) => {
        const result = await model.step(request, options);
        if (result.ok) {
          const { inputTokens, cacheReadTokens, cacheWriteTokens } = result.usage;
          const counted = inputTokens + cacheReadTokens + cacheWriteTokens;
          known = calibrate(known, model.id, estimateRequestTokens(request), counted);
        }
        return result;
      },
    }),
  };
}
