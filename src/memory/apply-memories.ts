import type { NewEvent } from "../domain/events.ts";
import type { MemoryUse } from "../domain/memories.ts";
import type { Store } from "../store/store.ts";
import { changeConfidence } from "../store/use-memories.ts";
import { CONFIDENCE_CHANGE, FADING_PER_WEEK } from "./confidence.ts";

export interface Application {
  readonly ids: readonly string[];
  readonly use: MemoryUse;
  /** In which work: a phase, an iteration, a command. */
  readonly during: string;
}

/** Changes what memories are believed by what came of them (MEM-3). Undefined when none of the ids is a memory's. */
export async function applyMemories(
  { store, now }: { readonly store: Store; readonly now: () => string },
  { ids, use, during }: Application,
): Promise<Extract<NewEvent, { type: "memory.applied" }> | undefined> {
  const by = CONFIDENCE_CHANGE[use];
  const memoryIds = await changeConfidence(store, ids, { perWeek: FADING_PER_WEEK, by, at: now() });
  return memoryIds.length === 0 ? undefined : { type: "memory.applied", payload: { memoryIds, use, during } };
}
