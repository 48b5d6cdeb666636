import Anthropic, { APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk";
import { defined } from "../domain/defined.ts";
import { createRedactor, type Redact } from "../safety/redact.ts";
import { anthropicReply } from "./anthropic-reply.ts";
import { anthropicRequest, type Translated } from "./anthropic-request.ts";
import { collectAnthropicStream } from "./anthropic-stream.ts";
import { callProvider, hearing, isWhole, sentOnce, type Watch } from "./call-provider.ts";
import { classOfStatus, oneLine, retryAfterMs } from "./failures.ts";
import type { FailureClass, Model, ModelFailure, StepOptions, StepRequest, StepResult } from "./ports.ts";

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

/** What went wrong with a call through the SDK. Anything that is no answer of the API is a fault of the transport. */
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
