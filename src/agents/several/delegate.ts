import { type AgentDefinition, identifyAgent } from "../agent-definition.ts";
import { createAgentLoop } from "../agent-loop.ts";
import { addToUser, forkHistory } from "../loop/history.ts";
import { type LoopState, newLoopState } from "../loop/loop-state.ts";
import type { AgentDependencies } from "../ports.ts";

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
