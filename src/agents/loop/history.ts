import { defined } from "../../domain/defined.ts";
import { MOST_OF_AN_IMAGE } from "../../llm/estimate-tokens.ts";
import type { AssistantBlock, Message, Usage, UserBlock } from "../../llm/ports.ts";
import type { LoopState } from "./loop-state.ts";

export type History = Pick<LoopState, "messages" | "anchor">;

/** Adds a reply and what the loop says to it. A reply without content is left out: no provider takes it back. */
export function appendExchange<H extends History>(
  history: H,
  reply: readonly AssistantBlock[],
  answer: readonly UserBlock[],
): H {
  const said = reply.some(({ type }) => type !== "thinking");
  const replied = said
    ? { ...history, messages: [...history.messages, { role: "assistant" as const, content: [...reply] }] }
    : history;
  return answer.length > 0 ? addToUser(replied, answer) : replied;
}

/** Puts blocks into the user's turn: into the last message where that is the user's already, so that roles alternate strictly. */
export function addToUser<H extends History>(history: H, blocks: readonly UserBlock[]): H {
  const last = history.messages.at(-1);
  if (last?.role !== "user") {
    return { ...history, messages: [...history.messages, { role: "user" as const, content: [...blocks] }] };
  }
  const merged: Message = { role: "user", content: [...last.content, ...blocks] };
  const at = history.messages.length - 1;
  return replaceRange(history, at, at + 1, [merged]);
}

/** Messages `from` up to `to` (not included) become others. The anchor is dropped when it counted any of them (LOOP-9). */
export function replaceRange<H extends History>(history: H, from: number, to: number, by: readonly Message[]): H {
  const messages = history.messages.toSpliced(from, to - from, ...(by as LoopState["messages"]));
  if (history.anchor === undefined || from >= history.anchor.messages) return { ...history, messages };
  const { anchor: _dropped, ...rest } = history;
  return { ...(rest as H), messages };
}

/** Holds on to what the provider counted: everything up to and with the reply. */
export function anchorAt<H extends History>(history: H, messages: number, usage: Usage): H {
  const tokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
  return tokens > 0 ? { ...history, anchor: { messages, tokens } } : history;
}

/**
 * Tokens that a request with this history has. `overhead` is the estimate for system prompt and tools; with an anchor they are
 * counted already.
 */
export function estimateHistory(history: History, overhead: number, estimate: (text: string) => number): number {
  const { messages, anchor } = history;
  const unknown = anchor ? messages.slice(anchor.messages) : messages;
  return unknown.reduce((sum, message) => sum + measureMessage(message, estimate), anchor?.tokens ?? overhead);
}

/** A deep copy: what is done to one is never seen in the other. */
export function forkHistory(history: History): History {
  return structuredClone({
    messages: history.messages,
    ...defined({ anchor: history.anchor }),
  });
}

/** Role, separators and ids of a message, in tokens. */
const FRAME = 8;

/** Messages are never changed in place, and an estimate that gets better later is not worth measuring all of them again. */
const measured = new WeakMap<Message, number>();

/** Tokens of one message, estimated. */
function measureMessage(message: Message, estimate: (text: string) => number): number {
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
    else if (block.type === "tool_result")
      tokens += FRAME + estimate(block.content) + MOST_OF_AN_IMAGE * (block.images?.length ?? 0);
    else tokens += FRAME + estimate(block.unparsed ?? JSON.stringify(block.input) ?? "");
  }
  return Math.ceil(tokens);
}
