import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { ToolSpec } from "../../llm/ports.ts";
import type { Tool } from "../../tools/tool.ts";
import type { AgentDefinition } from "../agent-definition.ts";
import type { AgentDependencies, Trip } from "../ports.ts";
import type { End, LoopState } from "./loop-state.ts";

/** A state on its way through a step, and the events of the way so far. */
export interface Turn {
  readonly state: LoopState;
  readonly events: readonly NewEvent[];
}

/** Material for a reflection. */
export type Occasion = "success" | "error" | "escalation" | "breaker";

/**
 * The reflections of one run of a loop (LOOP-13). They go on beside the work, which never waits for one: it changes nothing of how the loop
 * goes on.
 */
export interface Reflections {
  /** Begins one on what just happened, where it is worth it and paid for. */
  readonly begin: (state: LoopState, occasion: Occasion, run: Run) => void;
  /** The turn with all that have ended by now. */
  readonly gather: (turn: Turn) => Turn;
  /** The same with those that are under way still; the holder of `later` takes them, and this does not wait. */
  readonly finish: (turn: Turn, run: Run) => Promise<Turn>;
}

/** Constant through all steps of a loop. */
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
