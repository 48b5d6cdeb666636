import type { LoopState } from "../loop/loop-state.ts";

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
