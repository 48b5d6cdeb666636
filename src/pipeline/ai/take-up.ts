import type { Impulse, LoopState } from "../../agents/library.ts";
import { type AgentDefinition, ITERATION_LIMITS } from "../../agents/library.ts";

/** Decisions of people while a run did not work, and the limits as they are now. */
export interface PeoplesWord {
  /** Every limit of money that counts for the run, in USD. */
  readonly usdLimits: readonly number[];
  /** Calls of a model that were added for each agent. */
  readonly moreIterations: number;
  /** Instructions of the person who resumed the run. */
  readonly redirection?: string | undefined;
}

/** An agent as it begins or goes on: calls are counted anew once a person spoke, so that exactly what was added is added. */
export function takeUp<Output>(
  definition: AgentDefinition<Output>,
  task: string,
  state: LoopState | undefined,
  { usdLimits, moreIterations, redirection, timeMs }: PeoplesWord & { readonly timeMs: number },
): { readonly definition: AgentDefinition<Output>; readonly task: string; readonly impulse: Impulse | undefined } {
  const iterations = (definition.iterationLimit ?? ITERATION_LIMITS[definition.type]) + moreIterations;
  const impulse = state && impulseOf(state, { usd: usdLimits, iterations, timeMs }, redirection);
  const iterationLimit = state && impulse ? Math.max(1, iterations - state.totalCalls) : iterations;
  const said = redirection === undefined ? "" : `\n\nInstruction of a person: ${redirection}`;
  return { definition: { ...definition, iterationLimit }, task: `${task}${said}`, impulse };
}

/** The limits as they are now, with what people added. */
interface PresentLimits {
  /** Every limit of money that counts for the agent, in USD. */
  readonly usd: readonly number[];
  /** Calls of a model that the agent may make in all. */
  readonly iterations: number;
  readonly timeMs: number;
}

/** Whether an agent that has ended goes on when its run does: it was stopped, calls failed, or it ended at a limit that is another one now. */
export function shouldReopen({ standing, totalCalls }: LoopState, limits: PresentLimits): boolean {
  if (standing.is !== "ended") return false;
  const { reason, limit } = standing.end;
  switch (reason) {
    case "stopped":
      return true;
    case "budget":
      return limit !== undefined && !limits.usd.includes(limit.limit);
    case "iteration_limit":
      return limits.iterations > totalCalls;
    case "breaker":
      // Resuming a run tries it again: failures of then say nothing of now, and the run's own limit on calls is looked at again
      // before the next one.
      return (
        limit?.name === "errors" ||
        limit?.name === "iterations" ||
        (limit?.name === "time" && limits.timeMs > limit.limit)
      );
    case "completed":
    case "refused":
    case "guardrail":
    case "context_exceeded":
    case "stagnated":
    case "no_usable_reply":
    case "model_failed":
      return false;
  }
}

/**
 * The reason for a recorded agent to go on, if there is one. Instructions of the person who resumed the run
 * reach every agent that has not finished, once.
 */
export function impulseOf(state: LoopState, limits: PresentLimits, instructions?: string): Impulse | undefined {
  const { standing } = state;
  const reopens = shouldReopen(state, limits);
  if (standing.is === "ended" && !reopens) return undefined;
  if (instructions !== undefined && !hasHeard(state, instructions)) return { by: "instruction", text: instructions };
  const waited = standing.is === "waiting" && standing.wait.for === "provider";
  return reopens || waited ? { by: "reopening" } : undefined;
}

function hasHeard({ messages }: LoopState, instructions: string): boolean {
  return messages.some(
    ({ role, content }) =>
      role === "user" && content.some((part) => part.type === "text" && part.text.endsWith(`: ${instructions}`)),
  );
}
