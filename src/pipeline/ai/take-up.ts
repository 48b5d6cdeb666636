import { type AgentDefinition, ITERATION_LIMITS } from "../../agents/agent-definition.ts";
import type { Impulse } from "../../agents/agent-loop.ts";
import type { LoopState } from "../../agents/loop/loop-state.ts";
import { impulseOf } from "./reopen.ts";

/** What people decided about a run while it did not work, and the limits as they are now. */
export interface PeoplesWord {
  /** Every limit of money that counts for the run, in USD. */
  readonly usdLimits: readonly number[];
  /** Calls of a model that were added for each agent. */
  readonly moreIterations: number;
  /** What the person said who had the run go on. */
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
