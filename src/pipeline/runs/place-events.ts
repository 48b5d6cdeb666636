import type { PlacedEvent } from "../../domain/events.ts";
import type { Decision } from "./decision.ts";

/** Events with their places in the log, as they will stand there. */
export function placeEvents(
  { runId, expectedVersion, events }: Decision["appends"][number],
  at: string,
): PlacedEvent[] {
  return events.map((event, i) => ({ ...event, traceId: runId, version: expectedVersion + i + 1, at }));
}
