import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import { MOST_OF_AN_IMAGE } from "../../llm/estimate-tokens.ts";
import type { AssistantBlock, Message, Usage, UserBlock } from "../../llm/ports.ts";
import type { LoopState } from "./loop-state.ts";
import { MessageSchema } from "./stored-step.ts";

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

/**
 * The fault of a history, if it has one. Legal is: the user begins, roles alternate, no message is empty, and each call of a reply
 * is answered in the next message, by its id, once, and nothing else is.
 */
export function findHistoryFault(messages: readonly Message[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    const expected = index % 2 === 0 ? "user" : "assistant";
    if (message.role !== expected) return `message ${index} is of ${message.role}, not of ${expected}`;
    if (message.content.length === 0) return `message ${index} is empty`;
    if (message.role === "assistant" && index === messages.length - 1 && callIds(message).length > 0) {
      return `message ${index} has calls without results`;
    }
    if (message.role !== "user") continue;
    const asked = callIds(messages[index - 1]);
    if (new Set(asked).size < asked.length) return `message ${index - 1} has calls with the same id`;
    const answered = message.content.flatMap((block) => (block.type === "tool_result" ? [block.toolUseId] : []));
    if (asked.join("\n") !== answered.join("\n")) return `message ${index} answers [${answered}], asked was [${asked}]`;
  }
  return undefined;
}

/** A history as text, to take elsewhere. */
export function exportHistory(messages: readonly Message[]): string {
  return JSON.stringify({ version: 1, messages });
}

/** @throws {ForgeError} `history_invalid` for anything that is not a legal history of this version. */
export function importHistory(text: string): Message[] {
  const parsed = Exported.safeParse(parseJson(text));
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  const fault = findHistoryFault(parsed.data.messages);
  if (fault !== undefined) throw invalid(fault);
  return parsed.data.messages;
}

const Exported = z.object({ version: z.literal(1), messages: z.array(MessageSchema) });

function callIds(message: Message | undefined): string[] {
  if (message?.role !== "assistant") return [];
  return message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : String(cause));
  }
}

function invalid(why: string): ForgeError {
  return new ForgeError("history_invalid", `This is not a history that can be taken up: ${why}`, {
    source: "validation",
    recoverability: "none",
  });
}
