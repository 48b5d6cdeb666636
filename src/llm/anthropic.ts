import Anthropic from "@anthropic-ai/sdk";
import { createRedactor } from "../safety/redact.ts";
import { anthropicFailure } from "./anthropic-failure.ts";
import { anthropicReply } from "./anthropic-reply.ts";
import { anthropicRequest } from "./anthropic-request.ts";
import { collectAnthropicStream } from "./anthropic-stream.ts";
import { failed } from "./failures.ts";
import type { Model, ModelFailure, StepOptions, StepRequest, StepResult } from "./ports.ts";
import { watchCall } from "./watch-call.ts";

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

  const step = async (request: StepRequest, options: StepOptions): Promise<StepResult> => {
    const watch = watchCall(options.signal, timeoutMs);
    const collector = collectAnthropicStream((event) => options.onEvent?.(event));
    let requestId: string | undefined;
    const answer = async (): Promise<unknown> => {
      const body = anthropicRequest(request, { id: settings.model, sendsEffort: settings.sendsEffort });
      const { signal } = watch;
      if (!options.onEvent && request.maxOutputTokens <= LARGEST_UNSTREAMED) {
        const whole = await client.messages.create(body, { signal }).withResponse();
        requestId = whole.request_id ?? undefined;
        return whole.data;
      }
      const streamed = await client.messages.create({ ...body, stream: true }, { signal }).withResponse();
      requestId = streamed.request_id ?? undefined;
      for await (const event of streamed.data) {
        watch.heard();
        collector.take(event);
      }
      return collector.message();
    };
    const withCosts = (failure: ModelFailure): StepResult => {
      const usage = collector.usage();
      const paid = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens > 0;
      return failed({ ...failure, ...(requestId ? { requestId } : {}), ...(paid ? { usage } : {}) });
    };
    try {
      if (options.signal.aborted) return failed(STOPPED);
      const message = await answer();
      // The SDK ends a stream that was aborted as if it had come to its end.
      if (options.signal.aborted) return withCosts(STOPPED);
      if (watch.timedOut()) return withCosts(SILENT);
      return anthropicReply(message, requestId) ?? withCosts(message === undefined ? CUT : MALFORMED);
    } catch (error) {
      if (options.signal.aborted) return withCosts(STOPPED);
      if (watch.timedOut()) return withCosts(SILENT);
      return withCosts(anthropicFailure(error, redact, now()));
    } finally {
      watch.end();
    }
  };

  const { contextWindow, maxOutputTokens } = settings;
  return { provider: "anthropic", id: settings.model, contextWindow, maxOutputTokens, nativeTools: true, step };
}

const STOPPED: ModelFailure = { class: "aborted", message: "The call was stopped." };
const SILENT: ModelFailure = { class: "timeout", message: "The provider fell silent." };
const CUT: ModelFailure = { class: "transport", message: "The reply ended before its end." };
const MALFORMED: ModelFailure = { class: "transport", message: "The provider's reply is no message of its interface." };
