import { z } from "zod";
import { ForgeError } from "../../domain/errors.ts";
import type { Message } from "../../llm/ports.ts";
import { MessageSchema } from "./stored-step.ts";

/**
 * What is wrong with a history, or undefined. Legal is: the user begins, roles alternate, no message is empty, and each call of a reply
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
