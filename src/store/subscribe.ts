import type { EventType } from "../domain/event-catalogue.ts";
import type { RunEvent } from "../domain/events.ts";
import type { Store } from "./store.ts";

/** One type, everything under a prefix, or everything. */
export type EventPattern = EventType | `${string}.*` | "*";

/**
 * Calls `listener` for each event that was stored from now on by this process (EVT-3), in order. What a listener throws or rejects with is
 * reported and does not keep others from hearing.
 */
export function subscribe(
  store: Store,
  pattern: EventPattern,
  listener: (event: RunEvent) => void | Promise<void>,
): () => void {
  const matches = matcher(pattern);
  const hear = (event: RunEvent) => {
    if (!matches(event.type)) return;
    try {
      Promise.resolve(listener(event)).catch((error) => store.onListenerError(error, event));
    } catch (error) {
      store.onListenerError(error, event);
    }
  };
  store.eventListeners.add(hear);
  return () => {
    store.eventListeners.delete(hear);
  };
}

function matcher(pattern: EventPattern): (type: string) => boolean {
  if (pattern === "*") return () => true;
  if (pattern.endsWith(".*")) {
    const prefix = pattern.slice(0, -1);
    return (type) => type.startsWith(prefix);
  }
  return (type) => type === pattern;
}

/** Calls `listener` with the keys of jobs that were just stored by this process, so that a worker can be woken. */
export function onJobsAdded(store: Store, listener: (keys: readonly string[]) => void): () => void {
  store.jobListeners.add(listener);
  return () => {
    store.jobListeners.delete(listener);
  };
}

/** Calls `listener` with the runs whose jobs this process just cancelled, so that a worker need not wait for its next sign of life. */
export function onJobsCancelled(store: Store, listener: (runIds: readonly string[]) => void): () => void {
  store.cancelListeners.add(listener);
  return () => {
    store.cancelListeners.delete(listener);
  };
}
