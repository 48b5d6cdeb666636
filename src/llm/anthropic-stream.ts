import type Anthropic from "@anthropic-ai/sdk";
import { AnthropicUsage } from "./anthropic-reply.ts";
import { NO_USAGE, type StepEvent, type Usage } from "./ports.ts";

type Streamed = Record<string, unknown> & { type: string };

/** Puts a streamed message together, block by block, and tells of it while it comes. */
export interface StreamCollector {
  readonly take: (event: Anthropic.RawMessageStreamEvent) => void;
  /** The message as the API would have given it at once; nothing while its end has not come. */
  readonly message: () => unknown;
  /** What is known to be billed so far; the output is counted from the text when the stream was cut. */
  readonly usage: () => Usage;
}

export function collectAnthropicStream(onEvent: (event: StepEvent) => void): StreamCollector {
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
