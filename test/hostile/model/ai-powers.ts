import { createIdMaker } from "../../../src/domain/ids.ts";
import type { Model } from "../../../src/llm/ports.ts";
import { openPrices } from "../../../src/llm/price.ts";
import type { AiDependencies } from "../../../src/pipeline/ai/ai-dependencies.ts";
import { createTokenSense } from "../../../src/pipeline/ai/calibrate-models.ts";
import { createLocalSpendKeeper } from "../../../src/pipeline/ai/spend-keeper.ts";
import { createRedactor } from "../../../src/safety/redact.ts";

/** Knows no secret by its value: what is not to be seen must not be there. */
export const REDACT = createRedactor([]);

const priceOf = await openPrices({});

/** The AI layer's powers around one model, with a clock of their own: nothing sleeps. */
export function aiDependencies(...models: readonly [Model, ...Model[]]) {
  const slept: number[] = [];
  let ahead = 0;
  const dependencies: AiDependencies = {
    models: { configured: true, strong: models, fast: models },
    priceOf,
    spend: createLocalSpendKeeper(),
    tokens: createTokenSense(),
    clock: {
      now: () => Date.now() + ahead,
      sleep: async (ms) => {
        slept.push(ms);
        ahead += ms;
      },
    },
    makeId: createIdMaker(),
    random: () => 0,
    redact: REDACT,
  };
  return Object.assign(dependencies, { slept });
}
