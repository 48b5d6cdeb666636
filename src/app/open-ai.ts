import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "../domain/defined.ts";
import { ForgeError } from "../domain/errors.ts";
import { createIdMaker } from "../domain/ids.ts";
import { createModels, loadClients, type ModelNames, type Models } from "../llm/create-models.ts";
import { estimateTextTokens } from "../llm/estimate-tokens.ts";
import type { ModelSettings } from "../llm/model-settings.ts";
import { openPrices } from "../llm/price.ts";
import { createEmbeddingRequest } from "../llm/request-embeddings.ts";
import { endpointEmbedder } from "../memory/endpoint-embedding.ts";
import { openMemory } from "../memory/open-memory.ts";
import type { Embedder } from "../memory/ports.ts";
import type { AiDependencies, ProcessAi } from "../pipeline/ai/ai-dependencies.ts";
import { createTokenSense } from "../pipeline/ai/calibrate-models.ts";
import { createLocalSpendKeeper } from "../pipeline/ai/spend-keeper.ts";
import { createRedactor, type Redact } from "../safety/redact.ts";
import type { Store } from "../store/store.ts";
import { type Config, readModelsConfig, secretsOfModels } from "./config.ts";

/**
 * The models of the environment, for one command in one process.
 * @throws ForgeError `no_model` where none is set up
 */
export async function openAi(environment: Readonly<Record<string, string | undefined>>): Promise<AiDependencies> {
  const settings = readModelsConfig(environment);
  const models = await createModels(settings);
  if (!models.configured) throw noModel(models.reason);
  return {
    ...(await common(settings, createRedactor(secretsOfModels(settings)))),
    models,
    spend: createLocalSpendKeeper(),
  };
}

/** That no model is set up, and how to do it. */
export function noModel(reason: string): ForgeError {
  const set =
    "Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or ANTHROPIC_BASE_URL or OPENAI_BASE_URL for an endpoint of your own.";
  return new ForgeError("no_model", `${reason} ${set}`, { source: "validation", recoverability: "manual" });
}

/** A server's dependencies for reviews by models; the models themselves are made per repository, as it may choose. */
export async function openProcessAi(
  { models: settings, dayLimitUsd, installationDayUsd }: Pick<Config, "models" | "dayLimitUsd" | "installationDayUsd">,
  redact: Redact,
  store: Store,
): Promise<ProcessAi> {
  await loadClients(settings);
  const made = new Map<string, Promise<Models>>();
  const modelsFor = (names: ModelNames) => {
    const key = JSON.stringify(names);
    const known = made.get(key) ?? createModels(settings, names);
    made.set(key, known);
    // An endpoint that did not answer is asked again.
    known.then(({ configured }) => configured || made.delete(key)).catch(() => made.delete(key));
    return known;
  };
  const dependencies = await common(settings, redact);
  const embedder = embedderOf(settings);
  const remembering = { store, redact: dependencies.redact, estimateTokens: estimateTextTokens };
  const memory = openMemory({ ...remembering, ...defined({ embedder }) });
  return { ...dependencies, modelsFor, dayLimitUsd, ...defined({ installationDayUsd }), memory };
}

/** Memories are embedded by the endpoint only where its operator named a model for that: they would leave the machine (MEM-5). */
function embedderOf({ embeddings, openai }: ModelSettings): Embedder | undefined {
  if (!embeddings || !openai) return undefined;
  const { model, dimensions } = embeddings;
  return endpointEmbedder({ model, dimensions, request: createEmbeddingRequest(openai, model, dimensions) });
}

async function common(settings: ModelSettings, redact: Redact) {
  return {
    priceOf: await openPrices(settings.prices),
    tokens: createTokenSense(),
    clock: {
      now: () => Date.now(),
      sleep: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {}),
    },
    makeId: createIdMaker(),
    random: Math.random,
    redact,
    ...defined({ machineUsdPerHour: settings.machineUsdPerHour }),
  };
}
