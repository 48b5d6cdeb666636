import OpenAI from "openai";
import { createRedactor } from "../safety/redact.ts";
import { callProvider } from "./call-provider.ts";
import { failed } from "./failures.ts";
import { failureInBody, openaiFailure } from "./openai-failure.ts";
import { estimateUsage, openaiReply } from "./openai-reply.ts";
import { type OpenAIDialect, openaiRequest } from "./openai-request.ts";
import { collectOpenAIStream } from "./openai-stream.ts";
import { type Model, NO_USAGE, type StepOptions, type StepRequest, type StepResult } from "./ports.ts";
import type { Watch } from "./watch-call.ts";

export interface OpenAICompatibleSettings {
  /** Without one the endpoint must not want one, as one on this machine. */
  readonly apiKey?: string;
  /** With the version, as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** How it is called in prices and logs. */
  readonly provider: string;
  readonly model: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Whether the model takes an effort. */
  readonly sendsEffort: boolean;
  readonly nativeTools: boolean;
  /** The longest silence, in milliseconds: of a whole reply, or between two pieces of a streamed one. */
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

const TIMEOUT_MS = 600_000;

/** A model behind the Chat Completions interface: OpenAI, Ollama, vLLM, OpenRouter and their like (LLM-1). */
export function createOpenAICompatibleModel(settings: OpenAICompatibleSettings): Model {
  const { provider, timeoutMs = TIMEOUT_MS, now = Date.now } = settings;
  const redact = createRedactor(settings.apiKey ? [settings.apiKey] : []);
  const client = new OpenAI({
    apiKey: settings.apiKey ?? "none",
    baseURL: settings.baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: "off",
  });
  const dialect: OpenAIDialect = {
    id: settings.model,
    sendsEffort: settings.sendsEffort,
    outputLimitName: provider === "openai" ? "max_completion_tokens" : "max_tokens",
  };

  const step = (request: StepRequest, options: StepOptions): Promise<StepResult> => {
    const collector = collectOpenAIStream((event) => options.onEvent?.(event));
    const body = openaiRequest(request, dialect);
    let requestId: string | undefined;
    const whole = async ({ signal }: Watch): Promise<unknown> => {
      const answer = await client.chat.completions.create(body, { signal }).withResponse();
      requestId = answer.request_id ?? undefined;
      return answer.data;
    };
    const streamed = async ({ signal, heard }: Watch): Promise<unknown> => {
      const asked = { ...body, stream: true as const, stream_options: { include_usage: true } };
      const answer = await client.chat.completions.create(asked, { signal }).withResponse();
      requestId = answer.request_id ?? undefined;
      for await (const chunk of answer.data) {
        heard();
        collector.take(chunk);
      }
      return collector.completion();
    };
    return callProvider(options, timeoutMs, {
      ask: async (watch) => {
        const completion = await (options.onEvent ? streamed : whole)(watch);
        if (completion === undefined) return "cut";
        const reply = openaiReply(completion, { provider, model: settings.model, request, requestId });
        if (reply) return reply;
        const failure = failureInBody(completion, redact);
        return failure ? failed({ ...failure, ...(requestId ? { requestId } : {}) }) : "malformed";
      },
      failureOf: (thrown) => openaiFailure(thrown, redact, now()),
      paid: () => {
        const characters = collector.characters();
        return characters === 0 ? NO_USAGE : { ...estimateUsage(request, []), outputTokens: Math.ceil(characters / 4) };
      },
      requestId: () => requestId,
    });
  };

  const { contextWindow, maxOutputTokens, nativeTools } = settings;
  return { provider, id: settings.model, contextWindow, maxOutputTokens, nativeTools, step };
}
