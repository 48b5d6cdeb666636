/**
 * The interface to a model (LLM-1). Anthropic's content blocks are the canonical form; every provider translates to and
 * from it. A failed call is a value, because breakers, budget and retries decide on it: a provider never throws and never retries.
 */

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** Thoughts go back to the provider unchanged, signature included; `data` is the sealed form of a redacted one. */
export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature?: string;
  readonly data?: string;
}

export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  /** Parsed arguments, or the text that could not be parsed: never an invented `{}` (LOOP-4). */
  readonly input: unknown;
  readonly unparsed?: string;
}

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** A picture, as providers take it. */
export interface ImagePart {
  readonly mediaType: (typeof IMAGE_TYPES)[number];
  /** Base64, at most a million characters of it: longer data is not searched for secrets, and would be hidden whole. */
  readonly data: string;
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: string;
  readonly isError: boolean;
  /** Shown beside the text by providers whose models see; by others the text says that there were some. */
  readonly images?: readonly ImagePart[];
}

/** Placeholder for images that the reader of a result cannot be shown. */
export function notShown(images: number): string {
  return `[${images === 1 ? "An image is" : `${images} images are`} not shown: this model takes none.]`;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock;
export type UserBlock = TextBlock | ToolResultBlock;

/** A turn of the user or of the model; results of tools are the user's. */
export type Message =
  | { readonly role: "user"; readonly content: readonly UserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantBlock[] };

/** A tool as a model sees it; the schema is JSON Schema of an object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Layers of the system prompt in order; a cache breakpoint stands after each layer that says so. */
export interface SystemBlock {
  readonly text: string;
  readonly cache?: boolean;
}

export const STOP_REASONS = [
  "end_turn",
  "tool_use",
  "max_tokens",
  "stop_sequence",
  "pause_turn",
  "refusal",
  "context_exceeded",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Tokens of one call. `inputTokens` counts neither cache reads nor cache writes, at every provider. */
export interface Usage {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

/** One request to a model, whole: nothing is kept between two of them. */
export interface StepRequest {
  readonly system: readonly SystemBlock[];
  /** Starts with a user message and alternates strictly. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly maxOutputTokens: number;
  /** `any`: some tool must be called. */
  readonly toolChoice?: "auto" | "any" | "none";
  readonly effort?: "low" | "medium" | "high";
}

/** Events of a running call; the result of `step` repeats all of it. */
export type StepEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "tool_call_started"; readonly id: string; readonly name: string };

export interface StepOptions {
  readonly signal: AbortSignal;
  /** The same for a request that is sent again because its outcome is unknown: a provider that knows it is paid once. */
  readonly idempotencyKey?: string;
  readonly onEvent?: (event: StepEvent) => void;
}

/**
 * `overloaded`, `transport`: transient. `rate_limited`: transient, with the wait that the provider asked for. `spend_limit`: money or
 * quota is used up. `too_long`: the request exceeds the context window. `invalid`: the provider refused the request as malformed (a
 * bug of ours, or a foreign endpoint). `aborted`: our own signal.
 */
export const FAILURE_CLASSES = [
  "overloaded",
  "rate_limited",
  "spend_limit",
  "refused",
  "too_long",
  "auth",
  "invalid",
  "transport",
  "timeout",
  "aborted",
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export interface ModelFailure {
  readonly class: FailureClass;
  /** One sentence without a secret, fit to be logged. */
  readonly message: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly requestId?: string;
  /** The cost of the failed call, as far as it is known: a stream that was cut is billed up to the cut. */
  readonly usage?: Usage;
}

/** The outcome of one request: a reply, or a failure as a value. */
export type StepResult =
  | {
      readonly ok: true;
      readonly content: readonly AssistantBlock[];
      readonly stopReason: StopReason;
      readonly usage: Usage;
      /** The provider reported no usage; `usage` is counted from the texts. */
      readonly usageEstimated?: boolean;
      /** The model that answered, as the provider names it. */
      readonly model: string;
      readonly provider: string;
      readonly requestId?: string;
    }
  | { readonly ok: false; readonly failure: ModelFailure };

/** One model at one provider. */
export interface Model {
  readonly provider: string;
  readonly id: string;
  /** Tokens of input and output together that one call can hold. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly nativeTools: boolean;
  /** Makes exactly one request. Never throws, never retries, never sleeps. */
  step(request: StepRequest, options: StepOptions): Promise<StepResult>;
}

/** USD per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** `assumed`: not known for this model, a pessimistic ceiling stands in (budgets fail closed). */
export interface Price extends Rates {
  readonly assumed: boolean;
  /** Prices of a whole call whose input, cached or not, has more tokens than this. */
  readonly long?: Rates & { readonly above: number };
}
