import { events, type RawAnswer } from "./raw-server.ts";

export const USAGE = {
  input_tokens: 12,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 7,
  output_tokens: 20,
};

export function message(content: unknown[], stopReason = "end_turn", usage: object = USAGE) {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-haiku-5-5",
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  };
}

/** A message as the API streams it. Arguments of calls may be text that is no JSON. */
export function streamed(
  content: { type: string; text?: string; thinking?: string; json?: string; [key: string]: unknown }[],
  stopReason = "end_turn",
) {
  const blocks = content.flatMap(({ json, text, thinking, ...block }, index) => {
    const empty = {
      ...block,
      ...(text === undefined ? {} : { text: "" }),
      ...(thinking === undefined ? {} : { thinking: "" }),
    };
    const whole = json ?? text ?? thinking ?? "";
    const pieces = whole ? [whole.slice(0, whole.length / 2), whole.slice(whole.length / 2)] : [];
    const delta = (piece: string) =>
      json !== undefined
        ? { type: "input_json_delta", partial_json: piece }
        : text !== undefined
          ? { type: "text_delta", text: piece }
          : { type: "thinking_delta", thinking: piece };
    return [
      {
        type: "content_block_start",
        index,
        content_block: block.type === "tool_use" ? { ...empty, input: {} } : empty,
      },
      ...pieces.map((piece) => ({ type: "content_block_delta", index, delta: delta(piece) })),
      ...(thinking === undefined
        ? []
        : [{ type: "content_block_delta", index, delta: { type: "signature_delta", signature: "sealed" } }]),
      { type: "content_block_stop", index },
    ];
  });
  return [
    { type: "message_start", message: message([], undefined, { ...USAGE, output_tokens: 1 }) },
    { type: "ping" },
    ...blocks,
    { type: "message_delta", delta: { stop_reason: stopReason }, usage: { output_tokens: 20, input_tokens: null } },
    { type: "message_stop" },
  ].map((data) => ({ event: data.type, data }));
}

export function refusal(type: string, text: string, details?: object) {
  return { type: "error", error: { type, message: text, ...(details ? { details } : {}) } };
}

export function stream(content: Parameters<typeof streamed>[0], stopReason?: string): RawAnswer {
  return events(streamed(content, stopReason));
}
