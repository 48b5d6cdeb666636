import type { Redact } from "../safety/redact.ts";
import type { FailureClass, ModelFailure, StepResult } from "./ports.ts";

/** The longest sentence that is kept of a provider's error, in characters. */
const LONGEST_MESSAGE = 300;

export function failed(failure: ModelFailure): StepResult {
  return { ok: false, failure };
}

/** A provider's error as one line that is fit to be logged. */
export function oneLine(text: string, redact: Redact): string {
  const line = redact(text.slice(0, 4 * LONGEST_MESSAGE))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line || "no explanation was given";
}

/** The wait that a provider asks for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. Never negative. */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const asked = headers?.get("retry-after");
  if (!asked) return undefined;
  const ms = /^\s*[\d.]+\s*$/.test(asked) ? Number.parseFloat(asked) * 1000 : Date.parse(asked) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The meaning of an HTTP status where the provider says nothing more specific. */
export function classOfStatus(status: number): FailureClass {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "spend_limit";
  if (status === 408 || status === 504) return "timeout";
  if (status === 413) return "too_long";
  if (status === 429) return "rate_limited";
  if (status === 409 || status === 425 || status === 499) return "transport";
  return status >= 500 ? "overloaded" : "invalid";
}
