import { APIConnectionTimeoutError, APIError } from "@anthropic-ai/sdk";
import type { Redact } from "../safety/redact.ts";
import { classOfStatus, oneLine, retryAfterMs } from "./failures.ts";
import type { FailureClass, ModelFailure } from "./ports.ts";

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
export function anthropicFailure(thrown: unknown, redact: Redact, now: number): ModelFailure {
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
    ...(thrown.status === undefined ? {} : { status: thrown.status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(thrown.requestID ? { requestId: thrown.requestID } : {}),
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
