import type { NewEvent } from "../../domain/events.ts";
import type { Input } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { both, type Decision, NOTHING } from "../runs/decision.ts";
import type { SubjectView } from "./view.ts";

/** Notes in a pull request's own log that it was closed or opened again, whatever else follows: its verdict counts only while it is open. */
export function withOpenness(view: SubjectView, input: Input, decision: Decision): Decision {
  const event = eventOf(view, input);
  if (!event) return decision;
  const append = { runId: subjectKey(input.subject), expectedVersion: view.facts.version, events: [event] };
  const { ignored: _nothing, ...rest } = decision;
  return both(rest, { ...NOTHING, appends: [append] });
}

function eventOf({ facts, latest }: SubjectView, input: Input): NewEvent | undefined {
  if (input.subject.kind !== "pull_request") return undefined;
  if (input.type === "pull_request.closed" && !facts.closed && latest) {
    return { type: "subject.closed", payload: { subject: input.subject, merged: input.merged }, actor: input.by };
  }
  if (input.type === "head.changed" && facts.closed) {
    return { type: "subject.reopened", payload: {}, actor: input.by };
  }
  return undefined;
}
