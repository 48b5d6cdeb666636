import type OpenAI from "openai";
import type { Message, StepRequest } from "./ports.ts";

export interface OpenAIDialect {
  readonly id: string;
  readonly sendsEffort: boolean;
  /** OpenAI itself refuses the name that the others know. */
  readonly outputLimitName: "max_tokens" | "max_completion_tokens";
}

type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "stream">;

/** The request as the Chat Completions interface takes it. Caching has no marks there: it works by the prefix, which stays the same. */
export function openaiRequest(request: StepRequest, dialect: OpenAIDialect): Body {
  const system = request.system.map(({ text }) => text).join("\n\n");
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: "function" as const,
    function: { name, description, parameters: { ...inputSchema } },
  }));
  return {
    model: dialect.id,
    [dialect.outputLimitName]: request.maxOutputTokens,
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && request.toolChoice ? { tool_choice: CHOICES[request.toolChoice] } : {}),
    ...(dialect.sendsEffort && request.effort ? { reasoning_effort: request.effort } : {}),
    messages: [
      ...(system ? [{ role: "system" as const, content: system }] : []),
      ...request.messages.flatMap(toMessages),
    ],
  };
}

const CHOICES = { auto: "auto", any: "required", none: "none" } as const;

/** A message without text and calls is refused. */
const NOTHING_SAID = "(nothing)";

function toMessages(message: Message): OpenAI.ChatCompletionMessageParam[] {
  if (message.role === "assistant") return [toAssistant(message)];
  const results = message.content.flatMap((block) =>
    block.type === "tool_result"
      ? [{ role: "tool" as const, tool_call_id: block.toolUseId, content: marked(block.content, block.isError) }]
      : [],
  );
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  if (text.trim() === "" && results.length > 0) return results;
  return [...results, { role: "user", content: text.trim() === "" ? NOTHING_SAID : text }];
}

/** The interface has no mark for a result that is an error. */
function marked(content: string, isError: boolean): string {
  return isError ? `Error: ${content}` : content;
}

function toAssistant(message: Extract<Message, { role: "assistant" }>): OpenAI.ChatCompletionAssistantMessageParam {
  const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  const calls = message.content.flatMap((block) =>
    block.type === "tool_use"
      ? [{ id: block.id, type: "function" as const, function: { name: block.name, arguments: argumentsOf(block) } }]
      : [],
  );
  if (calls.length > 0) return { role: "assistant", content: text.trim() === "" ? null : text, tool_calls: calls };
  return { role: "assistant", content: text.trim() === "" ? NOTHING_SAID : text };
}

/** Some servers parse the arguments of former calls: text that is no JSON goes back as a JSON object that holds it. */
function argumentsOf({ input, unparsed }: { input: unknown; unparsed?: string }): string {
  return unparsed === undefined ? (JSON.stringify(input) ?? "{}") : JSON.stringify({ unparsed });
}
