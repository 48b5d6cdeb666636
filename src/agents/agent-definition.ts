import type { ZodType } from "zod";
import type { MakeId } from "../domain/ids.ts";
import { PHASE_LIMITS } from "../safety/trip-rules.ts";
import type { Tool } from "../tools/tool.ts";
import type { PromptLayer } from "./loop/prompt-layers.ts";

export const AGENT_TYPES = ["planner", "implementer", "reviewer", "verifier", "tester", "deployer", "ask"] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

/** LOOP-20: so many model calls, exactly; `iterationLimit` of a definition overrides. */
export const ITERATION_LIMITS: Readonly<Record<AgentType, number>> = {
  planner: PHASE_LIMITS.planning.iterations,
  implementer: PHASE_LIMITS.implementation.iterations,
  reviewer: PHASE_LIMITS.review.iterations,
  verifier: 10,
  tester: PHASE_LIMITS.testing.iterations,
  deployer: PHASE_LIMITS.deployment.iterations,
  ask: 25,
};

/**
 * An agent as data: one loop serves them all, they differ in this. `tools` is all that it can ever call, beside `complete` and
 * `ask_human`, which the loop brings along.
 */
export interface AgentDefinition<Output = unknown> {
  readonly type: AgentType;
  readonly name: string;
  /** Version of the prompt files, for events and the run report. */
  readonly promptVersion: string;
  readonly layers: readonly PromptLayer[];
  readonly tools: readonly Tool[];
  /** Arguments of `complete`. Absent: the agent answers in words, and a reply without a tool call is its answer. */
  readonly output?: ZodType<Output>;
  readonly iterationLimit?: number;
  /** Tokens of one reply; the model's own limit where that is lower. */
  readonly maxOutputTokens: number;
  /** Characters of one tool result that the model gets to read; 40,000 when absent. */
  readonly resultCharacters?: number;
  readonly effort?: "low" | "medium" | "high";
}

/** The actor on every event of an agent. */
export interface AgentIdentity {
  /** `agent:<type>:<ulid>`, new for each run of an agent. */
  readonly id: string;
  readonly type: AgentType;
  readonly name: string;
  readonly promptVersion: string;
}

export function identifyAgent(definition: AgentDefinition, makeId: MakeId): AgentIdentity {
  const { type, name, promptVersion } = definition;
  return { id: `agent:${type}:${makeId()}`, type, name, promptVersion };
}
