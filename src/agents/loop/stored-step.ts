import { z } from "zod";
import { IMAGE_TYPES, type ImagePart, type Message, STOP_REASONS, type Usage } from "../../llm/ports.ts";

const count = z.number().int().nonnegative();

const Text = z.object({ type: z.literal("text"), text: z.string() });
const Thinking = z.object({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().exactOptional(),
  data: z.string().exactOptional(),
});
export const ToolUse = z.object({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  unparsed: z.string().exactOptional(),
});
export const ImageSchema: z.ZodType<ImagePart> = z.object({
  mediaType: z.enum(IMAGE_TYPES),
  data: z.base64().max(1_000_000),
});
export const ToolResultPart = z.object({
  type: z.literal("tool_result"),
  toolUseId: z.string(),
  content: z.string(),
  isError: z.boolean(),
  images: z.array(ImageSchema).exactOptional(),
});

export const AssistantPart = z.discriminatedUnion("type", [Text, Thinking, ToolUse]);

/** A message as it is read back from a checkpoint or an import. */
export const MessageSchema: z.ZodType<Message> = z.discriminatedUnion("role", [
  z.object({
    role: z.literal("user"),
    content: z.array(z.discriminatedUnion("type", [Text, ToolResultPart])),
  }),
  z.object({ role: z.literal("assistant"), content: z.array(AssistantPart) }),
]);

export const UsageSchema: z.ZodType<Usage> = z.object({
  inputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  outputTokens: count,
});

export const StopReasonSchema = z.enum(STOP_REASONS);

const milliseconds = z.number().nonnegative();

/** One call of a tool, as the report tells it. Arguments are redacted and cut. */
export const CallReport = z.object({
  id: z.string(),
  tool: z.string(),
  arguments: z.string(),
  outcome: z.enum(["ok", "error", "skipped"]),
  resultCharacters: z.number().int().nonnegative(),
  latencyMs: milliseconds,
  retries: z.number().int().nonnegative(),
  error: z.object({ code: z.string(), message: z.string() }).exactOptional(),
  metrics: z.record(z.string(), z.number()).exactOptional(),
  warnings: z.array(z.string()).exactOptional(),
});
export type CallReport = z.infer<typeof CallReport>;

/** One model call and what it led to. */
export const StepReport = z.object({
  step: z.number().int().positive(),
  at: z.number(),
  provider: z.string(),
  model: z.string(),
  stopReason: StopReasonSchema,
  latencyMs: milliseconds,
  /** The answer came late, or had to be asked for more than once: milliseconds since it was first asked for, and how often it was. */
  late: z.object({ afterMs: milliseconds, attempts: z.number().int().positive() }).exactOptional(),
  usage: UsageSchema,
  costUsd: z.number().nonnegative(),
  requestId: z.string().exactOptional(),
  calls: z.array(CallReport),
});
export type StepReport = z.infer<typeof StepReport>;
