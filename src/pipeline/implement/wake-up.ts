import type { PullInput } from "../../domain/inputs.ts";
import type { Subject } from "../../domain/subjects.ts";
import type { SubjectView } from "../review/view.ts";
import { type Decision, findEnd } from "../runs/decision.ts";
import { workOn } from "./step.ts";

/** The end of a review of Forge's own work is what the run on the issue waits for: a worker looks at it in the same transaction. */
export function withWakeUp(view: SubjectView, { subject, at }: PullInput, decision: Decision): Decision {
  const runs = [view.active, view.addressed, view.latest].filter((run) => run !== undefined);
  const ended = decision.appends.filter(({ events }) => findEnd(events) !== -1);
  const work = ended
    .map(({ runId }) => runs.find((run) => run.runId === runId)?.implements)
    .find((ref) => ref !== undefined);
  if (!work) return decision;
  const issue: Subject = { kind: "issue", repository: subject.repository, number: work.issue };
  return { ...decision, jobs: [...decision.jobs, workOn({ runId: work.runId, subject: issue }, at)] };
}
