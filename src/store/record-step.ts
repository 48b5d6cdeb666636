import { sql } from "drizzle-orm";
import { ForgeError } from "../domain/errors.ts";
import type { NewEvent } from "../domain/events.ts";
import type { MakeId } from "../domain/ids.ts";
import { insertEvents, sealNext, versionConflict } from "./append-events.ts";
import { type Fence, guardFence } from "./fence.ts";
import { statement } from "./statement.ts";
import type { Store } from "./store.ts";

/** One step of an agent: what happened, and what its state became. */
export interface RecordedStep {
  readonly traceId: string;
  /** Which agent of the run: `reviewer/1`. */
  readonly agent: string;
  readonly sequence: number;
  /** JSON of the checkpoint. */
  readonly content: string;
  readonly events: readonly NewEvent[];
  readonly at: string;
  readonly makeId: MakeId;
  readonly source: string;
  readonly fence?: Fence;
}

/** Others write to the log of a run rarely; more conflicts in a row than this are a bug. */
const ATTEMPTS = 20;

/**
 * Writes the events and the checkpoint of a step, both or none (PIPE-6). These events are facts that nothing decided: they take their
 * place wherever the log of the run ends now.
 * @throws ForgeError `lease_lost`, `checkpoint_exists` where the same step was recorded before, `storage_full`, `database_unreachable`
 */
export async function recordStep(store: Store, step: RecordedStep): Promise<void> {
  const { traceId, agent, sequence, content, at, fence } = step;
  const checkpoint = statement(
    sql`insert into checkpoints (trace_id, agent, sequence, at, content)
        values (${traceId}, ${agent}, ${sequence}, ${at}, ${content})`,
    () => exists(step),
  );
  for (let attempt = 1; ; attempt += 1) {
    const sealed = await sealNext(store, traceId, step.events, step);
    const statements = [...(fence ? [guardFence(fence)] : []), checkpoint, ...insertEvents(sealed)];
    try {
      await store.queue.alone(statements);
    } catch (error) {
      if (attempt < ATTEMPTS && isConflict(error)) continue;
      throw error;
    }
    for (const event of sealed) for (const hear of [...store.eventListeners]) hear(event);
    return;
  }
}

function exists({ traceId, agent, sequence }: RecordedStep): ForgeError {
  return new ForgeError("checkpoint_exists", `Step ${sequence} of ${agent} in run ${traceId} was recorded before.`, {
    source: "logic",
    recoverability: "none",
    context: { traceId, agent, sequence },
  });
}

function isConflict(error: unknown): boolean {
  return error instanceof ForgeError && error.code === versionConflict("").code;
}
