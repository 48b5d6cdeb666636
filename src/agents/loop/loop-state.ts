import { z } from "zod";
import { AGENT_TYPES, type AgentDefinition, type AgentIdentity } from "../agent-definition.ts";
import { AssistantPart, MessageSchema, StepReport, ToolResultPart } from "./stored-step.ts";

/** Why a loop is over (LOOP-1). */
export const END_REASONS = [
  "completed",
  "stopped",
  "breaker",
  "budget",
  "iteration_limit",
  "guardrail",
  "stagnated",
  "refused",
  "no_usable_reply",
  "context_exceeded",
  "model_failed",
] as const;

const count = z.number().int().nonnegative();

export const End = z.object({
  reason: z.enum(END_REASONS),
  /** One sentence for people. */
  message: z.string(),
  /** Of `completed`: what the agent handed in, already valid by its schema; its words where it has none. */
  output: z.unknown().exactOptional(),
  /** Of a limit: its name, whose it is, and where it stood. */
  limit: z
    .object({ name: z.string(), scope: z.string().exactOptional(), limit: z.number(), current: z.number() })
    .exactOptional(),
});
export type End = z.infer<typeof End>;

/** Reasons for a loop to wait: a person's answer, a person's word on one tool call or on the money, or a time that the provider named. */
export const Wait = z.discriminatedUnion("for", [
  z.object({
    for: z.literal("answer"),
    question: z.string(),
    options: z.array(z.string()),
    /** The call of `ask_human`; absent where the question was found in prose or comes from the loop. */
    callId: z.string().exactOptional(),
  }),
  z.object({
    for: z.literal("approval"),
    callId: z.string(),
    tool: z.string(),
    input: z.unknown(),
    reason: z.string(),
  }),
  z.object({ for: z.literal("money"), budget: z.string().exactOptional(), usedUsd: z.number(), limitUsd: z.number() }),
  z.object({ for: z.literal("provider"), until: z.number(), message: z.string() }),
]);
export type Wait = z.infer<typeof Wait>;

/** A reply whose calls are being carried out; not yet part of the history, so that the history is always legal. */
export const OpenReply = z.object({
  content: z.array(AssistantPart),
  /** Results so far, of the first calls, in their order. */
  results: z.array(ToolResultPart),
  step: StepReport,
  /** The call that a person allowed: it runs without asking again. */
  approved: z.string().exactOptional(),
  /** The consequence once the reply is in the history; absent: the next step. */
  end: End.exactOptional(),
  wait: Wait.exactOptional(),
});
export type OpenReply = z.infer<typeof OpenReply>;

export const Standing = z.discriminatedUnion("is", [
  z.object({ is: z.literal("ready") }),
  z.object({ is: z.literal("acting"), open: OpenReply }),
  z.object({ is: z.literal("waiting"), wait: Wait, open: OpenReply.exactOptional() }),
  z.object({ is: z.literal("ended"), end: End }),
]);
export type Standing = z.infer<typeof Standing>;

const Layer = z.object({
  name: z.string(),
  priority: z.number(),
  text: z.string(),
  tags: z.array(z.string()),
  owner: z.string(),
  stable: z.boolean(),
});

/** Warnings about limits and errors that were given, so that each is given once (LOOP-12). */
export const WARNINGS = ["iterations", "budget", "time", "context", "errors"] as const;

/**
 * Everything a loop knows, as a plain value (LOOP-16): it survives JSON, and a loop goes on from it in any process. Times are
 * milliseconds.
 */
export const LoopState = z.object({
  version: z.literal(1),
  agent: z.object({ id: z.string(), type: z.enum(AGENT_TYPES), name: z.string(), promptVersion: z.string() }),
  layers: z.array(Layer),
  toolNames: z.array(z.string()),
  startedAt: z.number(),
  activeMs: z.number().nonnegative(),
  standing: Standing,
  messages: z.array(MessageSchema),
  /** The first so many messages, with system and tools, were so many tokens, as the provider counted (LOOP-9). */
  anchor: z.object({ messages: count, tokens: count }).exactOptional(),
  steps: z.array(StepReport),
  /** Answered model calls since the phase began or a person spoke, and in all (LOOP-20). */
  calls: count,
  totalCalls: count,
  /** Replies in a row that were neither a call, an answer nor a question. */
  oddReplies: count,
  spentUsd: z.number().nonnegative(),
  reflectionUsd: z.number().nonnegative(),
  /** Calls of models for that, answered or not. */
  reflections: count.exactOptional(),
  /** Text for the model that goes with the next user message. */
  notes: z.array(z.string()),
  warned: z.array(z.enum(WARNINGS)),
  /** The hash of the last messages and how often it came; failures by what they were, the newest 20. */
  stagnation: z.object({ hash: z.string(), repeats: count, failures: z.array(z.object({ key: z.string(), count })) }),
  /** How many checkpoints were recorded. */
  recorded: count,
});
export type LoopState = z.infer<typeof LoopState>;

export const FRESH_STAGNATION: LoopState["stagnation"] = { hash: "", repeats: 0, failures: [] };

/** A loop that has not begun. */
export function newLoopState(definition: AgentDefinition, agent: AgentIdentity, startedAt: number): LoopState {
  return {
    version: 1,
    agent,
    layers: definition.layers.map((layer) => ({ ...layer, tags: [...layer.tags] })),
    toolNames: definition.tools.map(({ name }) => name),
    startedAt,
    activeMs: 0,
    standing: { is: "ready" },
    messages: [],
    steps: [],
    calls: 0,
    totalCalls: 0,
    oddReplies: 0,
    spentUsd: 0,
    reflectionUsd: 0,
    notes: [],
    warned: [],
    stagnation: FRESH_STAGNATION,
    recorded: 0,
  };
}
