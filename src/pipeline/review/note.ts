import type { NewEvent } from "../../domain/events.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { type Decision, ignore, NOTHING } from "../runs/decision.ts";
import type { SubjectView } from "./view.ts";

/** Writes facts to the log that the input names, of a run in whatever state or of the subject; they change nothing else. */
export function note(
  view: SubjectView,
  input: { readonly subject: Subject; readonly runId: string },
  events: NewEvent[],
): Decision {
  const { runId, subject } = input;
  const log = runId === subjectKey(subject) ? view.facts : view.addressed;
  if (!log) return ignore("the run is not known");
  if (events.length === 0) return ignore("there is nothing to note");
  return { ...NOTHING, appends: [{ runId, expectedVersion: log.version, events }] };
}
