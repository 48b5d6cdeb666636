import { setTimeout as sleep } from "node:timers/promises";
import { readModelsConfig } from "./config.ts";
import { ForgeError } from "./domain/errors.ts";
import { createIdMaker } from "./domain/ids.ts";
import { createModels } from "./llm/create-models.ts";
import { openPrices } from "./llm/price.ts";
import type { AiPowers } from "./pipeline/ai/ai-layer.ts";
import { createTokenSense } from "./pipeline/ai/calibrate-models.ts";
import { createLocalSpendKeeper } from "./pipeline/ai/spend-keeper.ts";
import { createRedactor } from "./safety/redact.ts";

/**
 * The models of the environment, for one command in one process.
 * @throws ForgeError `no_model` where none is set up
 */
export async function openAi(environment: Readonly<Record<string, string | undefined>>): Promise<AiPowers> {
  const settings = readModelsConfig(environment);
  const models = await createModels(settings);
  if (!models.configured) {
    const set =
      "Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or ANTHROPIC_BASE_URL or OPENAI_BASE_URL for an endpoint of your own.";
    throw new ForgeError("no_model", `${models.reason} ${set}`, { source: "validation", recoverability: "manual" });
  }
  const keys = [settings.anthropic?.apiKey, settings.openai?.apiKey].filter((key) => key !== undefined);
  return {
    models,
    priceOf: await openPrices(settings.prices),
    spend: createLocalSpendKeeper(),
    tokens: createTokenSense(),
    clock: {
      now: () => Date.now(),
      sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    },
    makeId: createIdMaker(),
    random: Math.random,
    redact: createRedactor(keys),
  };
}
