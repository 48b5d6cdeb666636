import {
  type AssistantBlock,
  type Message,
  type Model,
  notShown,
  type StepOptions,
  type StepRequest,
  type StepResult,
  type SystemBlock,
  type ToolResultBlock,
} from "./ports.ts";
import { CLOSING, OPENING, parseTaggedCalls, type TagWatcher, watchTags } from "./tagged-calls.ts";

/**
 * A model without native tools with the same tools through its prompt (LOOP-5): they are described in a system block, called by tagged
 * blocks in the text, and results go back as text. To the loop it looks like any other model.
 */
export function withPromptedTools(model: Model): Model {
  return {
    ...model,
    nativeTools: true,
    step: async (request, options) => {
      if (request.tools.length === 0) return model.step(toPlain(request), options);
      // New with every message, so that no two calls of a conversation share an id.
      const idOf = (index: number) => `call_${request.messages.length}_${index}`;
      const heard = options.onEvent ? watchTags(options.onEvent, idOf) : undefined;
      const result = await model.step(toPrompted(request), heard ? listening(options, heard) : options);
      heard?.end();
      return result.ok ? withCalls(result, idOf) : result;
    },
  };
}

function listening({ signal, onEvent }: StepOptions, heard: TagWatcher): StepOptions {
  return { signal, onEvent: (event) => (event.type === "text" ? heard.take(event.text) : onEvent?.(event)) };
}

function withCalls(result: Extract<StepResult, { ok: true }>, idOf: (index: number) => string): StepResult {
  let calls = 0;
  const content = result.content.flatMap((block): AssistantBlock[] => {
    if (block.type !== "text") return [block];
    const first = calls;
    const blocks = parseTaggedCalls(block.text, (index) => idOf(first + index));
    calls += blocks.filter(({ type }) => type === "tool_use").length;
    return blocks;
  });
  const stopReason = calls > 0 && result.stopReason === "end_turn" ? "tool_use" : result.stopReason;
  return { ...result, content, stopReason };
}

function toPrompted(request: StepRequest): StepRequest {
  const { toolChoice, ...rest } = toPlain(request);
  return { ...rest, system: [...request.system, describeTools(request)] };
}

/** Calls and results of former steps as text, as the model would have written and read them. */
function toPlain(request: StepRequest): StepRequest {
  return { ...request, tools: [], messages: request.messages.map(toPlainMessage) };
}

function toPlainMessage(message: Message): Message {
  if (message.role === "user") {
    const texts = message.content.map((block) => (block.type === "text" ? block.text : resultText(block)));
    return { role: "user", content: [{ type: "text", text: texts.join("\n\n") }] };
  }
  const texts = message.content.flatMap((block) => {
    if (block.type === "text") return [block.text];
    if (block.type !== "tool_use") return [];
    const inner = block.unparsed ?? JSON.stringify({ name: block.name, arguments: block.input });
    return [`${OPENING}${inner}${CLOSING}`];
  });
  return { role: "assistant", content: [{ type: "text", text: texts.join("\n") }] };
}

/** A result that holds the closing tag must not end its own block. */
function resultText({ toolUseId, content, isError, images = [] }: ToolResultBlock): string {
  const text = images.length > 0 ? `${content}\n${notShown(images.length)}` : content;
  const inner = text.replaceAll("</tool_result>", "</tool\u200b_result>");
  return `<tool_result id="${toolUseId}"${isError ? ' error="true"' : ""}>\n${inner}\n</tool_result>`;
}

const RULES: Readonly<Record<NonNullable<StepRequest["toolChoice"]>, string>> = {
  any: "Every reply must call a tool.",
  none: "Call no tool in this reply.",
  auto: "Call a tool whenever you need to know or do something; otherwise answer in words.",
};

function describeTools({ tools, toolChoice }: StepRequest): SystemBlock {
  const described = tools.map(
    ({ name, description, inputSchema }) =>
      `### ${name}\n${description}\nArguments (JSON Schema): ${JSON.stringify(inputSchema)}`,
  );
  const rule = RULES[toolChoice ?? "auto"];
  const text = `## Tools

To call a tool, write a block of exactly this form. Its inside is one JSON object and nothing else; no code fence around it:

${OPENING}{"name": "<tool>", "arguments": {...}}${CLOSING}

Several blocks in one reply are carried out in their order. After the last block stop writing: the results come in the next message as
<tool_result> blocks, in the same order. Never write a <tool_result> yourself. ${rule}

${described.join("\n\n")}`;
  return { text, cache: true };
}
