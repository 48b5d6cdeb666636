import type { NewEvent } from "../../domain/events.ts";
import type { ImagePart } from "../../llm/ports.ts";
import type { Redact } from "../../safety/redact.ts";
import type { ToolChoice } from "./hooks.ts";
import type { End } from "./loop-state.ts";
import type { CallReport } from "./stored-step.ts";

/** The result of one call: for the model, for the record, and the end of the loop where the call brought it. */
export interface CarriedOut {
  readonly text: string;
  readonly images?: readonly ImagePart[];
  readonly isError: boolean;
  readonly report: CallReport;
  readonly events: readonly NewEvent[];
  readonly end?: End;
}

/** A call that does not run, because it must not. */
export function refusedCall(
  { id, tool }: { readonly id: string; readonly tool: { readonly name: string } },
  shown: string,
  agentId: string,
  code: string,
  message: string,
): CarriedOut {
  const payload = { agentId, callId: id, tool: tool.name };
  return {
    text: message,
    isError: true,
    events: [
      {
        type: "tool.failed",
        payload: { ...payload, durationMs: 0, retries: 0, code, message: message.slice(0, 1_000) },
      },
    ],
    report: { ...reportOf(id, tool.name, shown), outcome: "error", error: { code, message: message.slice(0, 1_000) } },
  };
}

/** A call that is left out, or whose result is given by somebody else. */
export function skippedCall(
  { id, tool }: { readonly id: string; readonly tool: { readonly name: string } },
  shown: string,
  agentId: string,
  choice: Exclude<ToolChoice, { do: "run" }>,
): CarriedOut {
  const reason = choice.do === "override" ? "its result was given" : choice.reason;
  const text = choice.do === "override" ? choice.text : `Not run: ${reason}`;
  return {
    text,
    isError: choice.do !== "override",
    events: [{ type: "tool.skipped", payload: { agentId, callId: id, tool: tool.name, reason } }],
    report: { ...reportOf(id, tool.name, shown), outcome: "skipped", resultCharacters: text.length },
    ...(choice.do === "stop" ? { end: { reason: "stopped" as const, message: choice.reason } } : {}),
  };
}

function reportOf(id: string, tool: string, shown: string) {
  return { id, tool, arguments: shown, latencyMs: 0, retries: 0, resultCharacters: 0 };
}

const RESULT_CHARACTERS = 40_000;
const INPUT_CHARACTERS = 2_000;

/** A result that is too long keeps its beginning, and says what is missing and how to get it. */
export function cutResult(text: string, most = RESULT_CHARACTERS): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most);
  return `${kept}\n[Cut here: ${text.length - most} more characters. Ask for a smaller part.]`;
}

/** Arguments for events and the report: JSON, cut, without secrets. */
export function describeInput(input: unknown, redact: Redact): string {
  const text = redact((JSON.stringify(input) ?? "null").slice(0, INPUT_CHARACTERS * 2));
  return text.length > INPUT_CHARACTERS ? `${text.slice(0, INPUT_CHARACTERS)}…` : text;
}
