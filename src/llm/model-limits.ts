import type { ProviderName } from "./model-settings.ts";

/** What one call of a model can hold, in tokens, and whether it takes an effort. */
export interface ModelLimits {
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

/** What servers for models of one's own commonly give. */
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
