import { createAnthropicModel } from "./anthropic.ts";
import { firstServedModel } from "./list-models.ts";
import { limitsOf } from "./model-limits.ts";
import type { ModelSettings, ProviderName } from "./model-settings.ts";
import { createOpenAICompatibleModel } from "./openai-compatible.ts";
import type { Model } from "./ports.ts";
import { withPromptedTools } from "./prompted-tools.ts";
import { findProviderName } from "./provider-name.ts";

/** A model and what stands in for it, in order (LOOP-7). */
export type ModelChain = readonly [Model, ...Model[]];

/** The models of this Forge, or why it has none: then reviews go without the AI layer, and say so. */
export type Models =
  | { readonly configured: true; readonly strong: ModelChain; readonly fast: ModelChain }
  | { readonly configured: false; readonly reason: string };

/** The names a repository may choose (`llm` in forge.yml), of the provider that Forge is set up with. */
export interface ModelNames {
  readonly model?: string | undefined;
  readonly fastModel?: string | undefined;
}

const DEFAULTS: Readonly<Record<ProviderName, { readonly strong: string; readonly fast: string }>> = {
  anthropic: { strong: "claude-sonnet-5-5", fast: "claude-haiku-5-5" },
  openai: { strong: "gpt-5.1", fast: "gpt-5.1" },
};

/** Makes the models that the settings describe. Asks a server for its models only where no name is given and there is no default. */
export async function createModels(settings: ModelSettings, chosen: ModelNames = {}): Promise<Models> {
  const provider = firstProvider(settings);
  if (!provider) {
    return { configured: false, reason: "No model is set up: neither a key nor an address of a provider is given." };
  }
  const strong = chosen.model ?? settings.model;
  const names = await namesFor(settings, provider, strong, chosen.fastModel ?? settings.fastModel ?? chosen.model);
  if (!names) {
    return { configured: false, reason: "OPENAI_BASE_URL is set, but no model: name the one to use in FORGE_MODEL." };
  }
  const other = provider === "anthropic" ? "openai" : "anthropic";
  const fallback = settings.fallbackModel && settings[other] ? [connect(settings, other, settings.fallbackModel)] : [];
  return {
    configured: true,
    strong: [connect(settings, provider, names.strong), ...fallback],
    fast: [connect(settings, provider, names.fast), ...fallback],
  };
}

function firstProvider(settings: ModelSettings): ProviderName | undefined {
  const wanted = settings.provider ?? (settings.anthropic ? "anthropic" : "openai");
  return settings[wanted] ? wanted : undefined;
}

/** Whoever names one model gets it for everything: a default of another kind might not exist at their endpoint. */
async function namesFor(settings: ModelSettings, provider: ProviderName, strong?: string, fast?: string) {
  const only = strong ?? fast;
  if (only !== undefined) return { strong: only, fast: fast ?? only };
  const endpoint = settings[provider];
  if (provider === "anthropic" || !endpoint?.baseUrl) return DEFAULTS[provider];
  const served = await firstServedModel(endpoint);
  return served === undefined ? undefined : { strong: served, fast: served };
}

function connect(settings: ModelSettings, provider: ProviderName, model: string): Model {
  const endpoint = settings[provider] ?? {};
  const limits = {
    ...limitsOf(provider, model, settings.contextWindow),
    ...(settings.timeoutMs ? { timeoutMs: settings.timeoutMs } : {}),
  };
  if (provider === "anthropic") return createAnthropicModel({ ...endpoint, model, ...limits });
  const baseUrl = endpoint.baseUrl ?? "https://api.openai.com/v1";
  const nativeTools = settings.toolCalling === "native";
  const made = createOpenAICompatibleModel({
    ...endpoint,
    ...limits,
    baseUrl,
    model,
    nativeTools,
    provider: findProviderName(baseUrl),
  });
  return nativeTools ? made : withPromptedTools(made);
}
