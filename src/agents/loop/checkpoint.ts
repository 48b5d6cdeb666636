import type { Message } from "../../llm/ports.ts";
import type { LoopState } from "./loop-state.ts";

type Core = Omit<LoopState, "messages" | "steps" | "layers">;

/**
 * What is new since the checkpoint before (PIPE-6): the first `kept` messages and all steps stay as they are, the rest follows. Its size
 * grows with the step, not with the history.
 */
export interface Checkpoint {
  /** Counts from 1 without gaps. */
  readonly sequence: number;
  readonly kept: number;
  readonly messages: readonly Message[];
  readonly steps: LoopState["steps"];
  /** Only in the first checkpoint, and where they changed. */
  readonly layers?: LoopState["layers"];
  readonly core: Core;
}

/** The difference between the last recorded state (undefined: none) and this one. */
export function checkpointOf(before: LoopState | undefined, after: LoopState): Checkpoint {
  const { messages, steps, layers, ...core } = after;
  const kept = commonFront(before?.messages ?? [], messages);
  return {
    sequence: after.recorded,
    kept,
    messages: messages.slice(kept),
    steps: steps.slice(before?.steps.length ?? 0),
    ...(before?.layers === layers ? {} : { layers }),
    core,
  };
}

/** Adds a checkpoint to the state that those before it gave; undefined begins. */
export function applyCheckpoint(state: LoopState | undefined, checkpoint: Checkpoint): LoopState {
  return {
    ...checkpoint.core,
    layers: checkpoint.layers ?? state?.layers ?? [],
    messages: [...(state?.messages.slice(0, checkpoint.kept) ?? []), ...checkpoint.messages],
    steps: [...(state?.steps ?? []), ...checkpoint.steps],
  };
}

/** Messages are never changed in place, so the same object is the same message. */
function commonFront(before: readonly Message[], after: readonly Message[]): number {
  let length = 0;
  while (length < before.length && before[length] === after[length]) length += 1;
  return length;
}
