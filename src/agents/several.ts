import { errorFacts } from "../domain/errors.ts";
import { type AgentDefinition, identifyAgent } from "./agent-definition.ts";
import { createAgentLoop } from "./agent-loop.ts";
import { addToUser, forkHistory } from "./loop/history.ts";
import { type LoopState, newLoopState } from "./loop/loop-state.ts";
import type { AgentDependencies } from "./ports.ts";

/** The results of agents that ran in parallel. */
export interface Consolidated<Merged> {
  readonly merged: Merged;
  /** Agents that gave no output, by their place, and why. */
  readonly missing: readonly { readonly index: number; readonly reason: string }[];
}

/**
 * Agents at the same time, their outputs made into one (LOOP-19). One that fails does not take the others' work with it; `merge` gets
 * what there is, in the order of the agents.
 */
export async function consolidate<Merged>(
  agents: readonly (() => Promise<LoopState>)[],
  merge: (outputs: readonly unknown[]) => Merged,
): Promise<Consolidated<Merged>> {
  const settled = await Promise.allSettled(agents.map((agent) => agent()));
  const results = settled.map((result, index) => ({ index, ...outputOf(result) }));
  return {
    merged: merge(results.flatMap((result) => ("output" in result ? [result.output] : []))),
    missing: results.flatMap((result) => ("reason" in result ? [{ index: result.index, reason: result.reason }] : [])),
  };
}

function outputOf(result: PromiseSettledResult<LoopState>): { output: unknown } | { reason: string } {
  if (result.status === "rejected") return { reason: errorFacts(result.reason).message };
  const { standing } = result.value;
  if (standing.is !== "ended") return { reason: "it waits for a person" };
  return standing.end.reason === "completed" ? { output: standing.end.output } : { reason: standing.end.message };
}

/** Runs one agent on a task in words. */
export type RunAgent = (task: string) => Promise<LoopState>;

/**
 * Agents one after the other, each with the former's output as its task (LOOP-19). The first that does not complete ends the chain.
 * @returns the states of those that ran; the last one says how it ended
 */
export async function chain(task: string, agents: readonly RunAgent[]): Promise<LoopState[]> {
  const states: LoopState[] = [];
  let next = task;
  for (const agent of agents) {
    const state = await agent(next);
    states.push(state);
    if (state.standing.is !== "ended" || state.standing.end.reason !== "completed") break;
    const { output } = state.standing.end;
    next = typeof output === "string" ? output : JSON.stringify(output);
  }
  return states;
}

/**
 * Lets another agent do a part, with a copy of what this one knows so far (LOOP-19): nothing that it says or reads comes back but its
 * final state. Its calls are paid from the same budget, by what it is given.
 */
export function delegate(
  parent: LoopState,
  definition: AgentDefinition,
  dependencies: AgentDependencies,
  task: string,
): Promise<LoopState> {
  const fresh = newLoopState(definition, identifyAgent(definition, dependencies.makeId), dependencies.clock.now());
  const { messages } = forkHistory(parent);
  const state = addToUser({ ...fresh, messages }, [{ type: "text", text: task }]);
  return createAgentLoop(definition, dependencies, state).run();
}
