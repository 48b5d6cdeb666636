import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { ToolSpec } from "../../llm/ports.ts";
import type { Tool } from "../../tools/tool.ts";
import type { AgentDefinition } from "../agent-definition.ts";
import type { AgentDependencies, Trip } from "../ports.ts";
import type { End, LoopState } from "./loop-state.ts";
import type { Reflections } from "./reflect.ts";

/** A state on its way through a step, and the events of the way so far. */
export interface Turn {
  readonly state: LoopState;
  readonly events: readonly NewEvent[];
}

/** What stays the same through all steps of a loop. */
export interface Run {
  readonly definition: AgentDefinition;
  readonly dependencies: AgentDependencies;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly specs: readonly ToolSpec[];
  readonly iterationLimit: number;
  /** Estimated tokens of system prompt and tools. */
  readonly overhead: number;
  readonly reflections: Reflections;
  /** Aborts the model call in flight: the process goes away. */
  readonly abort: AbortSignal;
  /** Aborts tools; the step in flight is brought to its end. */
  readonly stop: AbortSignal;
}

export function change(turn: Turn, patch: Partial<LoopState>, ...events: readonly NewEvent[]): Turn {
  return { state: { ...turn.state, ...patch }, events: [...turn.events, ...events] };
}

export function endTurn(turn: Turn, end: End): Turn {
  return change(turn, { standing: { is: "ended", end } });
}

/** The end that a limit makes. */
export function tripEnd(reason: "breaker" | "budget" | "iteration_limit", trip: Trip): End {
  const { breaker, scope, limit, current, message } = trip;
  return { reason, message, limit: { name: breaker, ...defined({ scope: scope || undefined }), limit, current } };
}

/** Asks the breakers in order; the first that trips counts. */
export async function findTrip(state: LoopState, { dependencies }: Run): Promise<Trip | undefined> {
  const { calls, totalCalls, spentUsd, activeMs } = state;
  for (const check of dependencies.checks) {
    const trip = await check({ now: dependencies.clock.now(), calls, totalCalls, spentUsd, activeMs });
    if (trip) return trip;
  }
  return undefined;
}
