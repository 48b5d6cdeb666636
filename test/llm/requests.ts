import type { Message, StepRequest, ToolSpec } from "../../src/llm/ports.ts";

export const READ_FILE: ToolSpec = {
  name: "read_file",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

export function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

export function request(over: Partial<StepRequest> = {}): StepRequest {
  return {
    system: [{ text: "You review code.", cache: true }],
    messages: [user("Look at src/run.ts.")],
    tools: [READ_FILE],
    maxOutputTokens: 1000,
    ...over,
  };
}

export function neverStopped(): AbortSignal {
  return new AbortController().signal;
}
