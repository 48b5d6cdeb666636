/**
 * `forge-lifecycle/agent`: the agent loop as a library (LOOP-22). All that an application needs to run an agent of its own stands here, and nothing
 * here knows of GitHub, of pipelines or of a database; Forge's own pipeline makes its agents here.
 *
 * An agent is data (`AgentDefinition`: system text in layers, tools, what it hands in), run with what it depends on (`AgentOptions`: a model, and what
 * of the rest is not to be as it usually is).
 */
import { createIdMaker } from "../domain/ids.ts";
import { estimateTextTokens } from "../llm/estimate-tokens.ts";
import type { Model } from "../llm/ports.ts";
import { createRedactor } from "../safety/redact.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { type AgentLoop, createAgentLoop } from "./agent-loop.ts";
import { USUAL_SHARES } from "./loop/gather-context.ts";
import type { LoopState } from "./loop/loop-state.ts";
import type { AgentDependencies } from "./ports.ts";

/**
 * The options of an agent. `models` is the model and what stands in for it, in order. What is left out is as usual: no limit of money,
 * everything allowed, no guardrails and hooks, nothing recorded, no person to ask, this machine's clock, and texts that look like secrets
 * redacted.
 */
export interface AgentOptions extends Partial<Omit<AgentDependencies, "models">> {
  readonly models: AgentDependencies["models"] | readonly [Model, ...Model[]];
  /** Its task, in words; instead of `context` where that has nothing else. */
  readonly task?: string;
  /** Cuts off the model call in flight as well: for a process that goes away. */
  readonly abort?: AbortSignal;
}

/**
 * One agent, to be run once or again and again (`AgentLoop.run`): it goes on from what it knows.
 * @param from a state that was recorded or restored, of this or another process; a tool that came or went since is said in its events
 */
export function createAgent(definition: AgentDefinition, options: AgentOptions, from?: LoopState): AgentLoop {
  return createAgentLoop(definition, dependenciesOf(options), from, options.abort);
}

/** Options with everything usual filled in. */
export function dependenciesOf({ models, task = "", abort: _ofTheLoop, ...given }: AgentOptions): AgentDependencies {
  return {
    budget: FREE,
    checks: [],
    policy: () => ({ decision: "allow" }),
    guardrails: [],
    hooks: [],
    recorder: { record: async () => {} },
    clock: { now: Date.now, sleep },
    makeId: createIdMaker(),
    random: Math.random,
    redact: createRedactor([]),
    estimateTokens: estimateTextTokens,
    someoneToAsk: false,
    context: { task, shares: USUAL_SHARES, sources: {} },
    ...given,
    models: typeof models === "function" ? models : () => models,
  };
}

/** Nothing is counted: models on this machine, say. */
const FREE: AgentDependencies["budget"] = {
  left: () => ({ usd: Number.POSITIVE_INFINITY, share: 1 }),
  reserve: async () => ({ ok: true, settle: async () => 0, release: async () => {}, abandon: async () => 0 }),
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener("abort", wake);
    if (signal.aborted) wake();
  });
}

export type { Models } from "../llm/create-models.ts";
// biome-ignore-start lint/performance/noBarrelFile: this is the entry of a library
export { createModels } from "../llm/create-models.ts";
export type { ModelSettings } from "../llm/model-settings.ts";
export type { ImagePart, Message, Model, StepRequest, StepResult } from "../llm/ports.ts";
export type { CheckedCall, Tool, ToolContext, ToolResult } from "../tools/tool.ts";
export { ToolFailure } from "../tools/tool.ts";
export type { AgentDefinition, AgentType } from "./agent-definition.ts";
export { ITERATION_LIMITS } from "./agent-definition.ts";
export type { AgentLoop, Impulse } from "./agent-loop.ts";
export { promptInjection, secretsInOutput, writesInScope } from "./guardrails.ts";
export type { Checkpoint, Restored } from "./loop/checkpoint.ts";
export { adopt, applyCheckpoint, dump, readLoopState, restore } from "./loop/checkpoint.ts";
export { USUAL_SHARES } from "./loop/gather-context.ts";
export type { Verdict } from "./loop/go-on.ts";
export type { Guardrail } from "./loop/guardrail.ts";
export { exportHistory, forkHistory, importHistory } from "./loop/history.ts";
export type { Hooks } from "./loop/hooks.ts";
export type { LoopEvent } from "./loop/loop-event.ts";
export type { End, LoopState } from "./loop/loop-state.ts";
export type { PolicyRules } from "./loop/policy.ts";
export { createPolicy } from "./loop/policy.ts";
export type { PromptContext, PromptLayer } from "./loop/prompt-layers.ts";
export { inheritLayers } from "./loop/prompt-layers.ts";
export type { RunReport } from "./loop/run-report.ts";
export { addUsage, reportRun } from "./loop/run-report.ts";
export { AssistantPart, StopReasonSchema, UsageSchema } from "./loop/stored-step.ts";
export type {
  AgentDependencies,
  Budget,
  Check,
  Clock,
  ContextPiece,
  Learning,
  MoneyMark,
  Permission,
  Recorder,
  Reflection,
} from "./ports.ts";
export type { Consolidated, RunAgent } from "./several.ts";
export { chain, consolidate, delegate } from "./several.ts";
// biome-ignore-end lint/performance/noBarrelFile: this is the entry of a library
