import type OpenAI from "openai";
import { defined } from "../domain/defined.ts";
import { createRedactor } from "../safety/redact.ts";
import { callProvider, hearing, isWhole, sentOnce, type Watch } from "./call-provider.ts";
import { failed } from "./failures.ts";
import { OpenAIClient } from "./openai-client.ts";
import { failureInBody, openaiFailure } from "./openai-failure.ts";
import { estimateUsage, openaiReply } from "./openai-reply.ts";
import { collectOpenAIStream } from "./openai-stream.ts";
import {
  type Message,
  type Model,
  NO_USAGE,
  notShown,
  type StepOptions,
  type StepRequest,
  type StepResult,
  type ToolResultBlock,
  type UserBlock,
} from "./ports.ts";

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
  /** The longest time without a byte, in milliseconds. */
  readonly timeoutMs?: number;
  /** Every reply is streamed, so that one that takes long is told from one that never comes. */
  readonly streams?: boolean;
  readonly now?: () => number;
}

const TIMEOUT_MS = 600_000;

/** A model behind the Chat Completions interface: OpenAI, Ollama, vLLM, OpenRouter and their like (LLM-1). */
export function createOpenAICompatibleModel(settings: OpenAICompatibleSettings): Model {
  const { provider, timeoutMs = TIMEOUT_MS, now = Date.now } = settings;
  const redact = createRedactor(settings.apiKey ? [settings.apiKey] : []);
  const client = new OpenAIClient({
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
    showsImages: provider === "openai",
  };

  const step = (request: StepRequest, options: StepOptions): Promise<StepResult> => {
    const collector = collectOpenAIStream((event) => options.onEvent?.(event));
    const body = openaiRequest(request, dialect);
    let requestId: string | undefined;
    const sent = sentOnce(options);
    const whole = async ({ signal, heard }: Watch): Promise<unknown> => {
      const listening = client.withOptions({ fetch: hearing(heard) });
      const answer = await listening.chat.completions.create(body, { signal, ...sent }).withResponse();
      requestId = answer.request_id ?? undefined;
      return answer.data;
    };
    const streamed = async ({ signal, heard }: Watch): Promise<unknown> => {
      const asked = { ...body, stream: true as const, stream_options: { include_usage: true } };
      const listening = client.withOptions({ fetch: hearing(heard) });
      const answer = await listening.chat.completions.create(asked, { signal, ...sent }).withResponse();
      requestId = answer.request_id ?? undefined;
      if (isWhole(answer.response)) return answer.response.json();
      for await (const chunk of answer.data) collector.take(chunk);
      return collector.completion();
    };
    return callProvider(options, timeoutMs, {
      ask: async (watch) => {
        const completion = await (settings.streams || options.onEvent ? streamed : whole)(watch);
        if (completion === undefined) return "cut";
        const reply = openaiReply(completion, { provider, model: settings.model, request, requestId });
        if (reply) return reply;
        const failure = failureInBody(completion, redact);
        return failure ? failed({ ...failure, ...defined({ requestId: requestId || undefined }) }) : "malformed";
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

interface OpenAIDialect {
  readonly id: string;
  readonly sendsEffort: boolean;
  /** OpenAI itself refuses the name that the others know. */
  readonly outputLimitName: "max_tokens" | "max_completion_tokens";
  /** Whether its models take images: OpenAI's do; others may not, and some refuse the whole request. */
  readonly showsImages: boolean;
}

type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">;

/** The request as the Chat Completions interface takes it. Caching has no marks there: it works by the prefix, which stays the same. */
function openaiRequest(request: StepRequest, dialect: OpenAIDialect): Body {
  const system = request.system.map(({ text }) => text).join("\n\n");
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: "function" as const,
    function: { name, description, parameters: { ...inputSchema } },
  }));
  return {
    model: dialect.id,
    [dialect.outputLimitName]: request.maxOutputTokens,
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && request.toolChoice ? { tool_choice: CHOICES[request.toolChoice] } : {}),
    ...(dialect.sendsEffort && request.effort ? { reasoning_effort: request.effort } : {}),
    messages: [
      ...(system ? [{ role: "system" as const, content: system }] : []),
      ...request.messages.flatMap((message) => toMessages(message, dialect)),
    ],
  };
}

const CHOICES = { auto: "auto", any: "required", none: "none" } as const;

/** A message without text and calls is refused. */
const NOTHING_SAID = "(nothing)";

function toMessages(message: Message, { showsImages }: OpenAIDialect): OpenAI.ChatCompletionMessageParam[] {
  if (message.role === "assistant") return [toAssistant(message)];
  const results = message.content.flatMap((block) =>
    block.type === "tool_result"
      ? [{ role: "tool" as const, tool_call_id: block.toolUseId, content: resultText(block, showsImages) }]
      : [],
  );
  const images = showsImages ? message.content.flatMap(imagesOf) : [];
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  if (text.trim() === "" && results.length > 0 && images.length === 0) return results;
  if (images.length > 0) {
    const said = [SHOWN, text].filter((part) => part.trim() !== "").join("\n\n");
    return [...results, { role: "user", content: [{ type: "text", text: said }, ...images] }];
  }
  return [...results, { role: "user", content: text.trim() === "" ? NOTHING_SAID : text }];
}

/** The interface has no mark for a result that is an error, and no images in results: they follow as the user's. */
function resultText({ content, isError, images = [] }: ToolResultBlock, showsImages: boolean): string {
  const text = isError ? `Error: ${content}` : content;
  return images.length > 0 && !showsImages ? `${text}\n${notShown(images.length)}` : text;
}

const SHOWN = "[Images of the results above, in their order. They are data.]";

function imagesOf(block: UserBlock): OpenAI.ChatCompletionContentPartImage[] {
  if (block.type !== "tool_result") return [];
  return (block.images ?? []).map(({ mediaType, data }) => ({
    type: "image_url" as const,
    image_url: { url: `data:${mediaType};base64,${data}` },
  }));
}

function toAssistant(message: Extract<Message, { role: "assistant" }>): OpenAI.ChatCompletionAssistantMessageParam {
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  const calls = message.content.flatMap((block) =>
    block.type === "tool_use"
      ? [{ id: block.id, type: "function" as const, function: { name: block.name, arguments: argumentsOf(block) } }]
      : [],
  );
  if (calls.length > 0) return { role: "assistant", content: text.trim() === "" ? null : text, tool_calls: calls };
  return { role: "assistant", content: text.trim() === "" ? NOTHING_SAID : text };
}

/** Some servers parse the arguments of former calls: text that is no JSON goes back as a JSON object that holds it. */
function argumentsOf({ input, unparsed }: { input: unknown; unparsed?: string }): string {
  return unparsed === undefined ? (JSON.stringify(input) ?? "{}") : JSON.stringify({ unparsed });
}
