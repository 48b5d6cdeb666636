import { checkpointOf } from "./checkpoint.ts";
import type { LoopState } from "./loop-state.ts";
import { change, type Run, type Turn } from "./turn.ts";

export interface Journal {
  /** Persists the events and the checkpoint of a turn in one go, and gives the turn as it goes on; nothing goes on before (LOOP-8). */
  readonly record: (turn: Turn) => Promise<Turn>;
}

/** Keeps in mind what was recorded last, so that each checkpoint holds only what is new, and counts the working time. */
export function keepJournal(recorded: LoopState | undefined, { dependencies }: Pick<Run, "dependencies">): Journal {
  let last = recorded;
  let since = dependencies.clock.now();
  return {
    record: async (turn) => {
      const now = dependencies.clock.now();
      const activeMs = turn.state.activeMs + Math.max(0, now - since);
      since = now;
      const { state } = change(turn, { activeMs, recorded: turn.state.recorded + 1 });
      await dependencies.recorder.record(turn.events, checkpointOf(last, state));
      last = state;
      return { state, events: [] };
    },
  };
}
