import type { PROVIDERS } from "../domain/repo-config.ts";
import type { OwnPrices } from "./price.ts";

export type ProviderName = (typeof PROVIDERS)[number];

/** Where a provider is reached; one of the two is always there. */
export interface Endpoint {
  readonly apiKey?: string;
  readonly baseUrl?: string;
}

/** Which models there are, as the operator said it (CONF-2). */
export interface ModelSettings {
  readonly anthropic?: Endpoint;
  /** OpenAI, or anything with the same interface. */
  readonly openai?: Endpoint;
  /** Whom to ask where both are set up; Anthropic when it is not said. */
  readonly provider?: ProviderName;
  /** For hard work, and for fast work; each has a default where the provider has one. */
  readonly model?: string;
  readonly fastModel?: string;
  /** A model of the other provider that stands in when the first does not answer. Without one nothing is ever sent there. */
  readonly fallbackModel?: string;
  /** A model of the OpenAI-compatible endpoint for embeddings of memories; without one the built-in method is used (MEM-5). */
  readonly embeddings?: { readonly model: string; readonly dimensions: number };
  /** Of models that are not known, in tokens. */
  readonly contextWindow?: number;
  /** How models behind the OpenAI interface call tools. */
  readonly toolCalling: "native" | "prompted";
  readonly prices: OwnPrices;
  /** Price of an hour of this machine in USD: programs that agents start are valued by it (`safety.approve_over_usd`). */
  readonly machineUsdPerHour?: number;
  /** How long a model may be silent, in milliseconds; ten minutes when it is not said. */
  readonly timeoutMs?: number;
}
