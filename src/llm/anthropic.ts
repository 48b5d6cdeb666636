import Anthropic from "@anthropic-ai/sdk";
import { createRedactor } from "../safety/redact.ts";
import { anthropicFailure } from "./anthropic-failure.ts";
import { anthropicReply } from "./anthropic-reply.ts";
import { anthropicRequest, type Translated } from "./anthropic-request.ts";
import { collectAnthropicStream } from "./anthropic-stream.ts";
import { callProvider } from "./call-provider.ts";
import type { Model, StepOptions, StepRequest, StepResult } from "./ports.ts";
import type { Watch } from "./watch-call.ts";

export interface AnthropicSettings {
  /** Without one the endpoint must not want one, as one on this machine. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly model: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Whether the model takes an effort. */
  readonly sendsEffort: boolean;
  /** The longest silence, in milliseconds: of a whole reply, or between two events of a streamed one. */
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

/** Ten minutes, as long as the API lets a reply take that is not streamed. */
const TIMEOUT_MS = 600_000;
/** Larger replies may take longer than the API keeps a silent connection open. */
const LARGEST_UNSTREAMED = 21_333;

/** A model of Anthropic, or of any endpoint with the same interface (LLM-1). */
export function createAnthropicModel(settings: AnthropicSettings): Model {
  const { timeoutMs = TIMEOUT_MS, now = Date.now } = settings;
  const redact = createRedactor(settings.apiKey ? [settings.apiKey] : []);
  // A key given here keeps the SDK from looking for others in the environment and in files of the user.
  const client = new Anthropic({
    apiKey: settings.apiKey ?? "none",
    baseURL: settings.baseUrl ?? "https://api.anthropic.com",
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: "off",
  });

  const target = { id: settings.model, sendsEffort: settings.sendsEffort };
  const translated: Translated = new WeakMap();

  const step = (request: StepRequest, options: StepOptions): Promise<StepResult> => {
    const collector = collectAnthropicStream((event) => options.onEvent?.(event));
    const body = anthropicRequest(request, target, translated);
    let requestId: string | undefined;
    const whole = async ({ signal }: Watch): Promise<unknown> => {
      const answer = await client.messages.create(body, { signal }).withResponse();
      requestId = answer.request_id ?? undefined;
      return answer.data;
    };
    const streamed = async ({ signal, heard }: Watch): Promise<unknown> => {
      const answer = await client.messages.create({ ...body, stream: true }, { signal }).withResponse();
      requestId = answer.request_id ?? undefined;
      for await (const event of answer.data) {
        heard();
        collector.take(event);
      }
      return collector.message();
    };
    const read = options.onEvent || request.maxOutputTokens > LARGEST_UNSTREAMED ? streamed : whole;
    return callProvider(options, timeoutMs, {
      ask: async (watch) => {
        const message = await read(watch);
        return message === undefined ? "cut" : (anthropicReply(message, requestId) ?? "malformed");
      },
      failureOf: (thrown) => anthropicFailure(thrown, redact, now()),
      paid: collector.usage,
      requestId: () => requestId,
    });
  };

  const { contextWindow, maxOutputTokens } = settings;
  return { provider: "anthropic", id: settings.model, contextWindow, maxOutputTokens, nativeTools: true, step };
}
