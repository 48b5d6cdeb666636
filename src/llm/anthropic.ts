import Anthropic, { APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk";
import { defined } from "../domain/defined.ts";
import { createRedactor, type Redact } from "../safety/redact.ts";
import { AnthropicUsage, anthropicReply } from "./anthropic-reply.ts";
import { anthropicRequest, type Translated } from "./anthropic-request.ts";
import { callProvider, hearing, isWhole, sentOnce, type Watch } from "./call-provider.ts";
import { classOfStatus, oneLine, retryAfterMs } from "./failures.ts";
import {
  type FailureClass,
  type Model,
  type ModelFailure,
  NO_USAGE,
  type StepEvent,
  type StepOptions,
  type StepRequest,
  type StepResult,
  type Usage,
} from "./ports.ts";

export interface AnthropicSettings {
  /** Without one the endpoint must not want one, as one on this machine. */
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly model: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Whether the model takes an effort. */
  readonly sendsEffort: boolean;
  /** The longest time without a byte, in milliseconds. */
  readonly timeoutMs?: number;
  /** Every reply is streamed, so that one that takes long is told from one that never comes. */
  readonly streams?: boolean;
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
    const sent = sentOnce(options);
    const whole = async ({ signal, heard }: Watch): Promise<unknown> => {
      const listening = client.withOptions({ fetch: hearing(heard) });
      const answer = await listening.messages.create(body, { signal, ...sent }).withResponse();
      requestId = answer.request_id ?? undefined;
      return answer.data;
    };
    const streamed = async ({ signal, heard }: Watch): Promise<unknown> => {
      const listening = client.withOptions({ fetch: hearing(heard) });
      const answer = await listening.messages.create({ ...body, stream: true }, { signal, ...sent }).withResponse();
      requestId = answer.request_id ?? undefined;
      if (isWhole(answer.response)) return answer.response.json();
      for await (const event of answer.data) collector.take(event);
      return collector.message();
    };
    const read = settings.streams || options.onEvent || request.maxOutputTokens > LARGEST_UNSTREAMED ? streamed : whole;
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

/** Money or quota that is used up; some of these come as 429, and waiting does not help. */
const SPENT: ReadonlySet<string> = new Set([
  "contract_spend_limit_reached",
  "enforced_spend_limit_reached",
  "linked_organization_billing_unavailable",
  "linked_organization_spend_limit_reached",
  "user_profile_billing_not_authorized",
  "user_profile_not_billable",
]);

/** Errors inside a stream have a type and no status. */
const CLASS_OF_TYPE: Readonly<Record<string, FailureClass>> = {
  api_error: "overloaded",
  authentication_error: "auth",
  billing_error: "spend_limit",
  invalid_request_error: "invalid",
  not_found_error: "invalid",
  overloaded_error: "overloaded",
  permission_error: "auth",
  rate_limit_error: "rate_limited",
  request_too_large: "too_long",
  timeout_error: "timeout",
};

/** The failure of a call through the SDK. Anything but an answer of the API is a fault of the transport. */
function anthropicFailure(thrown: unknown, redact: Redact, now: number): ModelFailure {
  if (thrown instanceof APIConnectionTimeoutError) {
    return { class: "timeout", message: "The provider did not answer in time." };
  }
  if (!(thrown instanceof APIError) || (thrown.status === undefined && thrown.type === null)) {
    const text = thrown instanceof Error ? `${thrown.message} ${causeOf(thrown)}` : String(thrown);
    return { class: "transport", message: `The connection to the provider failed: ${oneLine(text, redact)}` };
  }
  const wait = retryAfterMs(thrown.headers, now);
  return {
    class: classOf(thrown),
    message: `The provider answered ${thrown.status ?? thrown.type}: ${oneLine(thrown.apiMessage ?? thrown.message, redact)}`,
    ...defined({ status: thrown.status, retryAfterMs: wait, requestId: thrown.requestID || undefined }),
  };
}

function classOf(error: InstanceType<typeof APIError>): FailureClass {
  if (error.errorCode !== null && SPENT.has(error.errorCode)) return "spend_limit";
  if (error.type === "billing_error") return "spend_limit";
  // The API has no code for it.
  if (error.status === 400 && /prompt is too long|context (?:limit|window)/i.test(error.apiMessage ?? "")) {
    return "too_long";
  }
  if (error.status === undefined) return CLASS_OF_TYPE[error.type ?? ""] ?? "transport";
  return classOfStatus(error.status);
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? `(${error.cause.message})` : "";
}

type Streamed = Record<string, unknown> & { type: string };

/** Puts a streamed message together, block by block, and tells of it while it comes. */
interface StreamCollector {
  readonly take: (event: Anthropic.RawMessageStreamEvent) => void;
  /** The message as the API would have given it at once; nothing while its end has not come. */
  readonly message: () => unknown;
  /** Known to be billed so far; the output is counted from the text when the stream was cut. */
  readonly usage: () => Usage;
}

function collectAnthropicStream(onEvent: (event: StepEvent) => void): StreamCollector {
  const blocks = new Map<number, { block: Streamed; readonly pieces: string[] }>();
  let head: Record<string, unknown> = {};
  let usage: Record<string, unknown> = {};
  let stopReason: string | null | undefined;
  let ended = false;
  let characters = 0;

  const begin = (index: number, block: Anthropic.ContentBlock) => {
    blocks.set(index, { block: { ...block }, pieces: [] });
    if (block.type === "tool_use") onEvent({ type: "tool_call_started", id: block.id, name: block.name });
    if (block.type === "text" && block.text) add(index, "text", block.text);
    if (block.type === "thinking" && block.thinking) add(index, "thinking", block.thinking);
  };
  const add = (index: number, kind: "text" | "thinking" | "json", piece: string) => {
    blocks.get(index)?.pieces.push(piece);
    characters += piece.length;
    if (kind !== "json" && piece) onEvent({ type: kind, text: piece });
  };
  const seal = (index: number, signature: string) => {
    const sealed = blocks.get(index);
    if (sealed) sealed.block = { ...sealed.block, signature };
  };

  return {
    take(event) {
      switch (event.type) {
        case "message_start":
          head = { ...event.message };
          usage = { ...event.message.usage };
          break;
        case "content_block_start":
          begin(event.index, event.content_block);
          break;
        case "content_block_delta":
          if (event.delta.type === "text_delta") add(event.index, "text", event.delta.text);
          if (event.delta.type === "thinking_delta") add(event.index, "thinking", event.delta.thinking);
          if (event.delta.type === "input_json_delta") add(event.index, "json", event.delta.partial_json);
          if (event.delta.type === "signature_delta") seal(event.index, event.delta.signature);
          break;
        case "message_delta":
          stopReason = event.delta.stop_reason;
          // Absent or null means unchanged since the start.
          for (const [name, count] of Object.entries(event.usage)) if (count !== null) usage[name] = count;
          break;
        case "message_stop":
          ended = true;
          break;
      }
    },
    message: () =>
      ended
        ? {
            ...head,
            usage,
            stop_reason: stopReason,
            content: [...blocks.values()].map(({ block, pieces }) => finish(block, pieces.join(""))),
          }
        : undefined,
    usage: () => {
      const known = AnthropicUsage.safeParse(usage).data ?? NO_USAGE;
      return { ...known, outputTokens: Math.max(known.outputTokens, Math.ceil(characters / 4)) };
    },
  };
}

function finish(block: Streamed, text: string): Streamed {
  if (block.type === "text") return { ...block, text };
  if (block.type === "thinking") return { ...block, thinking: text };
  if (block.type !== "tool_use" || text === "") return block;
  try {
    return { ...block, input: JSON.parse(text) };
  } catch {
    return { ...block, unparsed: text };
  }
}
