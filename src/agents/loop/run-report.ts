import { z } from "zod";
import { NO_USAGE, type Usage } from "../../llm/ports.ts";
import type { LoopState } from "./loop-state.ts";
import { StepReport, UsageSchema } from "./stored-step.ts";

const milliseconds = z.number().nonnegative();

/** The steps and cost of an agent's run (LOOP-18); `forge review --report` writes it. Times are milliseconds since 1970. */
export const RunReport = z.object({
  version: z.literal(1),
  id: z.string(),
  agent: z.string(),
  promptVersion: z.string(),
  models: z.array(z.string()),
  startedAt: z.number(),
  endedAt: z.number(),
  end: z.string(),
  /** The limit at which it ended, and whose it is. */
  limit: z.object({ name: z.string(), scope: z.string().optional() }).optional(),
  steps: z.array(StepReport),
  totals: z.object({
    modelCalls: z.number().int().nonnegative(),
    toolCalls: z.number().int().nonnegative(),
    usage: UsageSchema,
    costUsd: z.number().nonnegative(),
    modelMs: milliseconds,
    /** Answers that came late or had to be asked for more than once. */
    lateAnswers: z.number().int().positive().exactOptional(),
    toolMs: milliseconds,
    reflectionUsd: z.number().nonnegative(),
    /** Of the model calls those that looked back. */
    reflections: z.number().int().positive().exactOptional(),
  }),
});
export type RunReport = z.infer<typeof RunReport>;

/** The report of a loop as it stands; a loop that waits or runs reports that as its end. */
export function reportRun(state: LoopState, endedAt: number): RunReport {
  const calls = state.steps.flatMap((step) => step.calls);
  const { reflections = 0 } = state;
  const late = state.steps.filter((step) => step.late !== undefined).length;
  return {
    version: 1,
    id: state.agent.id,
    agent: state.agent.name,
    promptVersion: state.agent.promptVersion,
    models: [...new Set(state.steps.map(({ provider, model }) => `${provider}/${model}`))],
    startedAt: state.startedAt,
    endedAt,
    end: describeEnd(state),
    ...limitOf(state),
    steps: [...state.steps],
    totals: {
      modelCalls: state.totalCalls + reflections,
      toolCalls: calls.length,
      usage: state.steps.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
      costUsd: state.spentUsd,
      modelMs: sum(state.steps.map(({ latencyMs }) => latencyMs)),
      ...(late > 0 ? { lateAnswers: late } : {}),
      toolMs: sum(calls.map(({ latencyMs }) => latencyMs)),
      reflectionUsd: state.reflectionUsd,
      ...(reflections > 0 ? { reflections } : {}),
    },
  };
}

/** `completed`, `iteration_limit`, `waiting for approval`: how a loop stands, for the report and the stream. */
export function describeEnd({ standing }: LoopState): string {
  if (standing.is === "ended") return standing.end.reason;
  if (standing.is === "waiting") return `waiting for ${standing.wait.for}`;
  return "running";
}

function limitOf({ standing }: LoopState): Pick<RunReport, "limit"> {
  const limit = standing.is === "ended" ? standing.end.limit : undefined;
  return limit ? { limit: { name: limit.name, scope: limit.scope } } : {};
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
