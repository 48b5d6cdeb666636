import { z } from "zod";
import { defined } from "../domain/defined.ts";
import type { AssistantBlock, StepResult, StopReason, Usage } from "./ports.ts";

const tokens = z
  .number()
  .nonnegative()
  .nullish()
  .transform((count) => count ?? 0);

export const AnthropicUsage = z
  .object({
    input_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    output_tokens: tokens,
  })
  .transform(
    (usage): Usage => ({
      inputTokens: usage.input_tokens,
      cacheReadTokens: usage.cache_read_input_tokens,
      cacheWriteTokens: usage.cache_creation_input_tokens,
      outputTokens: usage.output_tokens,
    }),
  );

const KnownBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().optional() }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.object({
    type: z.literal("tool_use"),
    id: z.string().min(1),
    name: z.string(),
    input: z.unknown(),
    unparsed: z.string().optional(),
  }),
]);
const KNOWN: ReadonlySet<string> = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

/** A message of the API, as far as it is read. Blocks of tools that the provider runs itself are left out: none is ever offered. */
const Reply = z.object({
  model: z.string(),
  content: z
    .array(z.looseObject({ type: z.string() }))
    .transform((blocks) => blocks.filter(({ type }) => KNOWN.has(type)))
    .pipe(z.array(KnownBlock)),
  stop_reason: z.string(),
  usage: AnthropicUsage,
});

/** The reply in our form, or nothing when it is no message of the API. */
export function anthropicReply(message: unknown, requestId: string | undefined): StepResult | undefined {
  const parsed = Reply.safeParse(message);
  if (!parsed.success) return undefined;
  const { model, content, stop_reason, usage } = parsed.data;
  return {
    ok: true,
    content: content.map((block, index) =>
      fromBlock(block, stop_reason === "max_tokens" && index === content.length - 1),
    ),
    stopReason: stopReason(
      stop_reason,
      content.some(({ type }) => type === "tool_use"),
    ),
    usage,
    model,
    provider: "anthropic",
    ...defined({ requestId: requestId || undefined }),
  };
}

function fromBlock(block: z.infer<typeof KnownBlock>, cut: boolean): AssistantBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return {
        type: "thinking",
        thinking: block.thinking,
        ...defined({ signature: block.signature || undefined }),
      };
    case "redacted_thinking":
      return { type: "thinking", thinking: "", data: block.data };
    case "tool_use": {
      // The output limit fell into the arguments: what is there may parse, and still be half of what was meant.
      const unparsed = block.unparsed ?? (cut ? JSON.stringify(block.input ?? null) : undefined);
      return {
        type: "tool_use",
        id: block.id,
        name: block.name,
        input: unparsed ?? block.input,
        ...defined({ unparsed }),
      };
    }
  }
}

const STOPS: Readonly<Record<string, StopReason>> = {
  end_turn: "end_turn",
  tool_use: "tool_use",
  max_tokens: "max_tokens",
  stop_sequence: "stop_sequence",
  pause_turn: "pause_turn",
  refusal: "refusal",
  model_context_window_exceeded: "context_exceeded",
};

/** A reason that is not known yet is read from what the reply holds. */
function stopReason(said: string, callsTools: boolean): StopReason {
  return STOPS[said] ?? (callsTools ? "tool_use" : "end_turn");
}
