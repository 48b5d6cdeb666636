import { APIConnectionTimeoutError, APIError } from "openai";
import { z } from "zod";
import { defined } from "../domain/defined.ts";
import type { Redact } from "../safety/redact.ts";
import { classOfStatus, oneLine, retryAfterMs } from "./failures.ts";
import type { FailureClass, ModelFailure } from "./ports.ts";

/** Codes that say more than the status. */
const CLASS_OF_CODE: Readonly<Record<string, FailureClass>> = {
  billing_hard_limit_reached: "spend_limit",
  content_filter: "refused",
  content_policy_violation: "refused",
  context_length_exceeded: "too_long",
  insufficient_quota: "spend_limit",
  invalid_api_key: "auth",
  rate_limit_exceeded: "rate_limited",
  server_error: "overloaded",
  string_above_max_length: "too_long",
};

/** The failure of a call through the SDK. */
export function openaiFailure(thrown: unknown, redact: Redact, now: number): ModelFailure {
  if (thrown instanceof APIConnectionTimeoutError) {
    return { class: "timeout", message: "The provider did not answer in time." };
  }
  if (!(thrown instanceof APIError) || (thrown.status === undefined && thrown.error === undefined)) {
    const text = thrown instanceof Error ? `${thrown.message} ${causeOf(thrown)}` : String(thrown);
    return { class: "transport", message: `The connection to the provider failed: ${oneLine(text, redact)}` };
  }
  const wait = retryAfterMs(thrown.headers, now);
  return {
    ...refusalOf({ status: thrown.status, code: thrown.code, type: thrown.type, message: thrown.message }, redact),
    ...defined({ retryAfterMs: wait, requestId: thrown.requestID || undefined }),
  };
}

const ErrorBody = z.object({
  error: z.object({
    message: z.string().catch("no explanation was given"),
    code: z.union([z.string(), z.number()]).nullish(),
    type: z.string().nullish(),
  }),
});

/** Routers answer 200 and say in the body that the provider behind them failed. */
export function failureInBody(body: unknown, redact: Redact): ModelFailure | undefined {
  const parsed = ErrorBody.safeParse(body);
  return parsed.success ? refusalOf({ status: undefined, ...parsed.data.error }, redact) : undefined;
}

interface Refused {
  readonly status: number | undefined;
  readonly code?: string | number | null | undefined;
  readonly type?: string | null | undefined;
  readonly message: string;
}

function refusalOf({ status, code, type, message }: Refused, redact: Redact): ModelFailure {
  // Where there is no status, its number may stand in the code.
  const number = status ?? (Number.isInteger(Number(code)) && code ? Number(code) : undefined);
  return {
    class: classOf(number, `${code ?? ""}`, type ?? "", message),
    message: `The provider answered ${number ?? (code || type || "with an error")}: ${oneLine(message, redact)}`,
    ...defined({ status: number }),
  };
}

function classOf(status: number | undefined, code: string, type: string, message: string): FailureClass {
  const known = CLASS_OF_CODE[code] ?? CLASS_OF_CODE[type];
  if (known) return known;
  // Servers for models of one's own have no code for it.
  if (status === 400 && /maximum context length|context (?:length|size|window)|prompt is too long/i.test(message)) {
    return "too_long";
  }
  return status === undefined ? "overloaded" : classOfStatus(status);
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? `(${error.cause.message})` : "";
}
