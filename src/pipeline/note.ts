import type { NewEvent } from "../domain/events.ts";
import { type Decision, ignore, NOTHING, type SubjectView } from "./decision.ts";

/** Writes facts to the run that the input names, whatever state it is in; they change nothing else. */
export function note(view: SubjectView, events: NewEvent[]): Decision {
  const run = view.addressed;
  if (!run) return ignore("the run is not known");
  if (events.length === 0) return ignore("there is nothing to note");
  return { ...NOTHING, appends: [{ runId: run.runId, expectedVersion: run.version, events }] };
}
