import { z } from "zod";
import { defined } from "../domain/defined.ts";
import { estimateRequestTokens, estimateTextTokens } from "./estimate-tokens.ts";
import type { AssistantBlock, StepRequest, StepResult, StopReason, Usage } from "./ports.ts";

const optionalText = z.string().nullish();

export const OpenAIUsage = z.object({
  prompt_tokens: z.number().nonnegative(),
  completion_tokens: z.number().nonnegative(),
  prompt_tokens_details: z
    .object({
      cached_tokens: z.number().nonnegative().nullish(),
      cache_write_tokens: z.number().nonnegative().nullish(),
    })
    .nullish(),
});

const Call = z.object({
  id: optionalText,
  function: z.object({
    name: z.string(),
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  }),
});

/** A completion, as far as it is read. Thoughts have two names among the servers that give them. */
const Completion = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: optionalText,
        message: z.object({
          content: optionalText,
          refusal: optionalText,
          reasoning_content: optionalText,
          reasoning: optionalText,
          tool_calls: z.array(Call).nullish(),
        }),
      }),
    )
    .min(1),
  // Counts that are none are as good as none: then Forge counts.
  usage: OpenAIUsage.nullish().catch(null),
});
type Message = z.infer<typeof Completion>["choices"][number]["message"];

interface Asked {
  readonly provider: string;
  readonly model: string;
  readonly request: StepRequest;
  readonly requestId: string | undefined;
}

/** The completion in our form, or nothing when it is none. */
export function openaiReply(completion: unknown, asked: Asked): StepResult | undefined {
  const parsed = Completion.safeParse(completion);
  if (!parsed.success) return undefined;
  const { model, choices, usage } = parsed.data;
  const { message, finish_reason } = choices[0]!;
  const content = toContent(message, asked.request);
  const refused = !!message.refusal && !message.content;
  return {
    ok: true,
    content,
    stopReason: refused ? "refusal" : stopReason(finish_reason, content),
    usage: usage ? toUsage(usage) : estimateUsage(asked.request, content),
    ...(usage ? {} : { usageEstimated: true }),
    model: model || asked.model,
    provider: asked.provider,
    ...defined({ requestId: asked.requestId || undefined }),
  };
}

function toContent(message: Message, request: StepRequest): AssistantBlock[] {
  const thinking = message.reasoning_content || message.reasoning;
  const text = message.content || message.refusal;
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: { name, arguments: given } }, index): AssistantBlock => {
      // Ids are needed to tell results apart; not every server gives one.
      const call = { type: "tool_use" as const, id: id || `call_${request.messages.length}_${index}`, name };
      return { ...call, ...parseArguments(given ?? "", takesNothing(request, name)) };
    },
  );
  return [
    ...(thinking ? [{ type: "thinking" as const, thinking }] : []),
    ...(text ? [{ type: "text" as const, text }] : []),
    ...calls,
  ];
}

function parseArguments(
  given: string | Record<string, unknown>,
  nothingNeeded: boolean,
): { input: unknown; unparsed?: string } {
  if (typeof given !== "string") return { input: given };
  // For a tool that needs no arguments many servers send no text at all.
  if (given.trim() === "" && nothingNeeded) return { input: {} };
  try {
    return { input: JSON.parse(given) };
  } catch {
    return { input: given, unparsed: given };
  }
}

function takesNothing(request: StepRequest, name: string): boolean {
  const schema = request.tools.find((tool) => tool.name === name)?.inputSchema;
  const required = schema?.required;
  return schema !== undefined && (!Array.isArray(required) || required.length === 0);
}

const STOPS: Readonly<Record<string, StopReason>> = {
  length: "max_tokens",
  content_filter: "refusal",
  tool_calls: "tool_use",
  function_call: "tool_use",
};

/** `stop` is also said by servers of replies that call tools. */
function stopReason(said: string | null | undefined, content: readonly AssistantBlock[]): StopReason {
  const byContent = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  return STOPS[said ?? ""] ?? byContent;
}

/** Here the input includes what came from the cache and what was written to it. */
export function toUsage({
  prompt_tokens,
  completion_tokens,
  prompt_tokens_details,
}: z.infer<typeof OpenAIUsage>): Usage {
  const cacheReadTokens = Math.min(prompt_tokens, prompt_tokens_details?.cached_tokens ?? 0);
  const cacheWriteTokens = Math.min(prompt_tokens - cacheReadTokens, prompt_tokens_details?.cache_write_tokens ?? 0);
  const inputTokens = prompt_tokens - cacheReadTokens - cacheWriteTokens;
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens: completion_tokens };
}

/** For servers that count nothing. */
export function estimateUsage(request: StepRequest, content: readonly AssistantBlock[]): Usage {
  const outputTokens = content.length === 0 ? 0 : estimateTextTokens(JSON.stringify(content));
  return { inputTokens: estimateRequestTokens(request), cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens };
}
