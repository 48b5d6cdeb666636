import { COMPRESS_AT, compressHistory } from "./compress-history.ts";
import { estimateHistory } from "./history.ts";
import type { Run, Turn } from "./turn.ts";

/** Tokens that the history may have beside the longest reply. */
export function tokenBudget({ dependencies, definition }: Run): number {
  const [model] = dependencies.models();
  return Math.max(1, model.contextWindow - Math.min(definition.maxOutputTokens, model.maxOutputTokens));
}

/** The share of the token budget that the next request takes. */
export function contextShare(turn: Turn, run: Run): number {
  return estimateHistory(turn.state, run.overhead, run.dependencies.estimateTokens) / tokenBudget(run);
}

/** Compresses where the context is nearly full (LOOP-10). */
export function compressWhenFull(turn: Turn, run: Run): Turn {
  return contextShare(turn, run) >= COMPRESS_AT ? (compress(turn, run) ?? turn) : turn;
}

/** The turn with a shorter history and the event of it, or undefined where nothing can be left out. */
export function compress(turn: Turn, run: Run): Turn | undefined {
  const compressed = compressHistory(turn.state, run.overhead, run.dependencies.estimateTokens);
  if (!compressed) return undefined;
  const { history, beforeTokens, afterTokens, messages } = compressed;
  const agentId = turn.state.agent.id;
  return {
    state: history,
    events: [...turn.events, { type: "agent.compressed", payload: { agentId, beforeTokens, afterTokens, messages } }],
  };
}
