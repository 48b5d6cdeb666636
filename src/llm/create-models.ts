import { defined } from "../domain/defined.ts";
import type { RepoConfig } from "../domain/repo-config.ts";
import type { ModelSettings, ProviderName } from "./model-settings.ts";
import type { Model } from "./ports.ts";
import { withPromptedTools } from "./prompted-tools.ts";

/** A model and what stands in for it, in order (LOOP-7). */
export type ModelChain = readonly [Model, ...Model[]];

/** The models of this Forge, or why it has none: then reviews go without the AI layer, and say so. */
export type Models =
  | { readonly configured: true; readonly strong: ModelChain; readonly fast: ModelChain }
  | { readonly configured: false; readonly reason: string };

/** A repository's choice (`llm` in forge.yml) among the configured models. */
export interface ModelNames {
  readonly provider?: ProviderName | undefined;
  readonly model?: string | undefined;
  readonly fastModel?: string | undefined;
}

const DEFAULTS: Readonly<Record<ProviderName, { readonly strong: string; readonly fast: string }>> = {
  anthropic: { strong: "claude-sonnet-5-5", fast: "claude-haiku-5-5" },
  openai: { strong: "gpt-5.1", fast: "gpt-5.1" },
};

/** The choice that a configuration makes. */
export function chosenModels({ llm }: Pick<RepoConfig, "llm">): ModelNames {
  return { provider: llm.provider, model: llm.model, fastModel: llm.fast_model };
}

/** Makes the models that the settings describe. Asks a server for its models only where no name is given and there is no default. */
export async function createModels(settings: ModelSettings, chosen: ModelNames = {}): Promise<Models> {
  const usual = firstProvider(settings);
  const provider = chosen.provider ?? usual;
  if (chosen.provider && !settings[chosen.provider]) {
    const reason = `This repository wants models of ${chosen.provider} (llm.provider), and Forge is not set up with any.`;
    return { configured: false, reason };
  }
  if (!provider) {
    return { configured: false, reason: "No model is set up: neither a key nor an address of a provider is given." };
  }
  // The names that the operator gave are of models of the usual provider.
  const given: Pick<ModelSettings, "model" | "fastModel"> = provider === usual ? settings : {};
  const strong = chosen.model ?? given.model;
  const names = await namesFor(settings, provider, strong, chosen.fastModel ?? given.fastModel ?? chosen.model);
  if (!names) {
    return { configured: false, reason: "OPENAI_BASE_URL is set, but no model: name the one to use in FORGE_MODEL." };
  }
  const other = provider === "anthropic" ? "openai" : "anthropic";
  const fallback =
    settings.fallbackModel && settings[other] ? [await connect(settings, other, settings.fallbackModel)] : [];
  return {
    configured: true,
    strong: [await connect(settings, provider, names.strong), ...fallback],
    fast: [await connect(settings, provider, names.fast), ...fallback],
  };
}

function firstProvider(settings: ModelSettings): ProviderName | undefined {
  const wanted = settings.provider ?? (settings.anthropic ? "anthropic" : "openai");
  return settings[wanted] ? wanted : undefined;
}

/** A single named model is used for everything: a default of another kind might not exist at their endpoint. */
async function namesFor(settings: ModelSettings, provider: ProviderName, strong?: string, fast?: string) {
  const only = strong ?? fast;
  if (only !== undefined) return { strong: only, fast: fast ?? only };
  const endpoint = settings[provider];
  if (provider === "anthropic" || !endpoint?.baseUrl) return DEFAULTS[provider];
  const { firstServedModel } = await import("./first-served-model.ts");
  const served = await firstServedModel(endpoint);
  return served === undefined ? undefined : { strong: served, fast: served };
}

/** The clients of providers are 400 files: who has no model loads none of them. */
const CLIENTS = {
  anthropic: () => import("./anthropic.ts"),
  openai: () => import("./openai-compatible.ts"),
} satisfies Readonly<Record<ProviderName, () => Promise<unknown>>>;

/** Loads the clients of the providers that are set up. A server does so when it starts: later, webhooks would wait 100 ms for it (OPS-8). */
export async function loadClients(settings: ModelSettings): Promise<void> {
  if (settings.anthropic) await CLIENTS.anthropic();
  if (settings.openai) await CLIENTS.openai();
}

async function connect(settings: ModelSettings, provider: ProviderName, model: string): Promise<Model> {
  const endpoint = settings[provider] ?? {};
  const limits = {
    ...limitsOf(provider, model, settings.contextWindow),
    ...defined({ timeoutMs: settings.timeoutMs || undefined }),
    streams: true,
  };
  if (provider === "anthropic") {
    const { createAnthropicModel } = await CLIENTS.anthropic();
    return createAnthropicModel({ ...endpoint, model, ...limits });
  }
  const { createOpenAICompatibleModel } = await CLIENTS.openai();
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

/** Hosts whose prices are listed under a name of their own. */
const NAMES: Readonly<Record<string, string>> = {
  "api.openai.com": "openai",
  "openrouter.ai": "openrouter",
  "api.mistral.ai": "mistral",
  "api.deepseek.com": "deepseek",
  "api.groq.com": "groq",
  "api.together.xyz": "together",
  "api.fireworks.ai": "fireworks",
  "api.x.ai": "x-ai",
};

/** How an endpoint with OpenAI's interface is called in prices and logs. */
function findProviderName(baseUrl: string): string {
  return NAMES[new URL(baseUrl).hostname] ?? "openai-compatible";
}

/** The limits of one call of a model, in tokens, and whether it takes an effort. */
interface ModelLimits {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly sendsEffort: boolean;
}

/** By the beginnings of ids, the narrower first. From the providers' model pages, November 2026. */
const KNOWN: readonly (readonly [RegExp, ModelLimits])[] = [
  [/^claude-[a-z]+-[5-9]/, { contextWindow: 1_000_000, maxOutputTokens: 128_000, sendsEffort: true }],
  [/^claude-(?:opus-4-[5-9]|sonnet-4-[6-9])/, { contextWindow: 200_000, maxOutputTokens: 64_000, sendsEffort: true }],
  [/^claude-opus-4/, { contextWindow: 200_000, maxOutputTokens: 32_000, sendsEffort: false }],
  [/^claude-/, { contextWindow: 200_000, maxOutputTokens: 64_000, sendsEffort: false }],
  [/^gpt-5/, { contextWindow: 400_000, maxOutputTokens: 128_000, sendsEffort: true }],
  [/^gpt-4\.1/, { contextWindow: 1_000_000, maxOutputTokens: 32_768, sendsEffort: false }],
  [/^o[134](?:-|$)/, { contextWindow: 200_000, maxOutputTokens: 100_000, sendsEffort: true }],
];

/** Context windows of unknown models, such as self-hosted ones. */
const UNKNOWN_WINDOW: Readonly<Record<ProviderName, number>> = { anthropic: 200_000, openai: 32_768 };

export function limitsOf(provider: ProviderName, model: string, contextWindow?: number): ModelLimits {
  const known = KNOWN.find(([pattern]) => pattern.test(model))?.[1];
  if (known && contextWindow === undefined) return known;
  const window = contextWindow ?? UNKNOWN_WINDOW[provider];
  return {
    contextWindow: window,
    maxOutputTokens: Math.min(known?.maxOutputTokens ?? 8192, Math.floor(window / 4)),
    sendsEffort: known?.sendsEffort ?? false,
  };
}

/** Kinds of work, and the model they want (LLM-1). */
const WANTED = {
  planning: "strong",
  implementation: "strong",
  /** Refuting a finding: a wrong yes or no here is what people read. */
  verification: "strong",
  deployment: "fast",
  review: "fast",
  testing: "fast",
  reflection: "fast",
  ask: "fast",
} as const satisfies Record<string, "strong" | "fast">;
export type Work = keyof typeof WANTED;

/** With less than this share of a limit left the strong model is not begun with any more. */
const RUNNING_LOW = 0.2;

/** The model for a kind of work, with what stands in for it: the fast one also where the remaining budget asks for it. */
export function chooseModel(
  models: Extract<Models, { configured: true }>,
  work: Work,
  left: { readonly share: number },
): ModelChain {
  return WANTED[work] === "strong" && left.share >= RUNNING_LOW ? models.strong : models.fast;
}
