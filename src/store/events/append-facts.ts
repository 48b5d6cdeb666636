import { ForgeError } from "../../domain/errors.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { MakeId } from "../../domain/ids.ts";
import { type Fence, guardFence } from "../jobs/fence.ts";
import type { Statement } from "../statement.ts";
import type { Store } from "../store.ts";
import { insertEvents, type LogEnd, sealNext, versionConflict } from "./append-events.ts";

/** Events that nothing decided: what a worker did and saw while a run was at work. */
export interface Facts {
  readonly traceId: string;
  readonly events: readonly NewEvent[];
  readonly at: string;
  readonly makeId: MakeId;
  readonly source: string;
  readonly fence?: Fence;
}

/** Others write to the log of a run rarely; more conflicts in a row than this are a bug. */
const ATTEMPTS = 20;

/** Where logs ended after our last write: most often nobody else wrote since, and then it need not be read. */
const ends = new WeakMap<Store, Map<string, LogEnd>>();
const KEPT = 500;

/**
 * Appends facts wherever the log ends now, in one transaction with what belongs to them, and tells the subscribers. It is written before
 * this resolves; whether it survives a power cut is decided a moment later (see `step` of the write queue).
 * @throws ForgeError `lease_lost`, `event_invalid`, `storage_full`, `database_unreachable`, and what `with` refuses
 */
export async function appendFacts(store: Store, facts: Facts, belonging: readonly Statement[] = []): Promise<void> {
  const { traceId, events, fence } = facts;
  const known = ends.get(store) ?? new Map<string, LogEnd>();
  ends.set(store, known);
  for (let attempt = 1; ; attempt += 1) {
    const sealed = await sealNext(store, traceId, events, facts, known.get(traceId));
    known.delete(traceId);
    try {
      await store.queue.step([...(fence ? [guardFence(fence)] : []), ...belonging, ...insertEvents(sealed)]);
    } catch (error) {
      if (attempt < ATTEMPTS && isConflict(error)) continue;
      throw error;
    }
    const last = sealed.at(-1);
    if (last) known.set(traceId, last);
    if (known.size > KEPT) known.delete(known.keys().next().value ?? traceId);
    for (const event of sealed) for (const hear of [...store.eventListeners]) hear(event);
    return;
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ForgeError && error.code === versionConflict("").code;
}
