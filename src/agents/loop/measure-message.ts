import type { Message } from "../../llm/ports.ts";

/** Role, separators and ids of a message, in tokens. */
const FRAME = 8;

/** Messages are never changed in place, and an estimate that gets better later is not worth measuring all of them again. */
const measured = new WeakMap<Message, number>();

/** Tokens of one message, estimated. */
export function measureMessage(message: Message, estimate: (text: string) => number): number {
  const known = measured.get(message);
  if (known !== undefined) return known;
  const tokens = sumBlocks(message, estimate);
  measured.set(message, tokens);
  return tokens;
}

function sumBlocks(message: Message, estimate: (text: string) => number): number {
  let tokens = FRAME;
  for (const block of message.content) {
    if (block.type === "text") tokens += estimate(block.text);
    else if (block.type === "thinking") tokens += estimate(block.thinking + (block.data ?? ""));
    else if (block.type === "tool_result") tokens += FRAME + estimate(block.content);
    else tokens += FRAME + estimate(block.unparsed ?? JSON.stringify(block.input) ?? "");
  }
  return Math.ceil(tokens);
}
