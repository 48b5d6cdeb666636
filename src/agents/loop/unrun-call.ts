import type { CarriedOut } from "./carried-out.ts";
import type { ToolChoice } from "./hooks.ts";

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
