import type Anthropic from "@anthropic-ai/sdk";
import type { AssistantBlock, ImagePart, Message, StepRequest, UserBlock } from "./ports.ts";

/** How many cache breakpoints a request may carry. */
const BREAKPOINTS = 4;
const MARK = { cache_control: { type: "ephemeral" } } as const satisfies {
  cache_control: Anthropic.CacheControlEphemeral;
};

/** Messages that were sent before, as they were sent: a long history is not translated anew for every step. */
export type Translated = WeakMap<Message, Anthropic.MessageParam>;

/**
 * The request as Anthropic's Messages API takes it. Cache breakpoints stand on the last two user messages (a step with many blocks is
 * found again only from where the former request ended), on the system layers that ask, last first, and on the last tool if one is left.
 * Beside the marks, what was sent before is sent again byte by byte.
 */
export function anthropicRequest(
  request: StepRequest,
  model: { readonly id: string; readonly sendsEffort: boolean },
  translated: Translated,
): Anthropic.MessageCreateParamsNonStreaming {
  const userIndices = request.messages.flatMap(({ role }, index) => (role === "user" ? [index] : [])).slice(-2);
  const asking = request.system
    .flatMap(({ cache }, index) => (cache ? [index] : []))
    .slice(userIndices.length - BREAKPOINTS);
  const toolsMarked = userIndices.length + asking.length < BREAKPOINTS;
  const system = request.system.map(({ text }, index) => ({
    type: "text" as const,
    text,
    ...(asking.includes(index) ? MARK : {}),
  }));
  const tools = request.tools.map(({ name, description, inputSchema }, index) => ({
    name,
    description,
    input_schema: inputSchema as Anthropic.Tool.InputSchema,
    ...(toolsMarked && index === request.tools.length - 1 ? MARK : {}),
  }));
  return {
    model: model.id,
    max_tokens: request.maxOutputTokens,
    ...(system.length > 0 ? { system } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && request.toolChoice ? { tool_choice: { type: request.toolChoice } } : {}),
    ...(model.sendsEffort && request.effort ? { output_config: { effort: request.effort } } : {}),
    messages: request.messages.map((message, index) => {
      const known = translated.get(message) ?? toMessage(message);
      translated.set(message, known);
      return userIndices.includes(index) ? marked(known) : known;
    }),
  };
}

function toMessage(message: Message): Anthropic.MessageParam {
  const content =
    message.role === "assistant" ? message.content.flatMap(toAssistantBlock) : message.content.flatMap(toUserBlock);
  return { role: message.role, content: content.length > 0 ? content : [NOTHING_SAID] };
}

/** Only messages of the user are marked. */
function marked(message: Anthropic.MessageParam): Anthropic.MessageParam {
  if (typeof message.content === "string" || message.role !== "user") return message;
  const content: Anthropic.ContentBlockParam[] = [...message.content];
  const last = content.length - 1;
  content[last] = { ...content[last]!, ...MARK } as Anthropic.ContentBlockParam;
  return { role: "user", content };
}

/** Empty texts are refused by the API, and so are messages without content. */
const NOTHING_SAID = { type: "text", text: "(nothing)" } as const;

function toUserBlock(block: UserBlock): (Anthropic.TextBlockParam | Anthropic.ToolResultBlockParam)[] {
  if (block.type === "text") return textPart(block.text);
  return [
    {
      type: "tool_result",
      tool_use_id: plainId(block.toolUseId),
      content:
        block.images === undefined ? block.content : [...textPart(block.content), ...block.images.map(imagePart)],
      ...(block.isError ? { is_error: true } : {}),
    },
  ];
}

function textPart(text: string): Anthropic.TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function imagePart({ mediaType, data }: ImagePart): Anthropic.ImageBlockParam {
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

function toAssistantBlock(block: AssistantBlock): Anthropic.ContentBlockParam[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      if (block.data !== undefined) return [{ type: "redacted_thinking", data: block.data }];
      // Thoughts of another provider's model carry no signature and would be refused.
      return block.signature ? [{ type: "thinking", thinking: block.thinking, signature: block.signature }] : [];
    case "tool_use":
      return [{ type: "tool_use", id: plainId(block.id), name: block.name, input: argumentsOf(block) }];
  }
}

function argumentsOf({ input, unparsed }: { input: unknown; unparsed?: string }): unknown {
  if (unparsed !== undefined) return { unparsed };
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : { value: input };
}

/** Ids of calls as the API accepts them; other providers also use dots and colons. */
function plainId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_");
}
