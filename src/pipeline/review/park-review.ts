import { effectKey } from "../../domain/effects.ts";
import type { ReviewParked } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import type { SubjectView } from "./view.ts";

/** Who has to answer wants to be asked later (LOOP-7): the job comes back then, and until then the check says so. */
export function parkReview(view: SubjectView, { until, message, at }: ReviewParked): Decision {
  const run = view.addressed;
  if (run?.status !== "running") return ignore("the run has ended");
  const { runId, subject, ends, request } = run;
  const { headSha } = ends;
  const of = subjectKey(subject);
  const parked = {
    kind: "check.park",
    key: effectKey("check.park", of, headSha, request.id, until),
    payload: { check: "forge/review", headSha, openKey: effectKey("check.open", of, headSha, request.id), until },
  } as const;
  const event = { type: "review.parked", phase: "review", payload: { until, message } } as const;
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: run.version, events: [event] }],
    effects: [{ runId, headSha, effects: [parked] }],
    jobs: [applyEffects(subject, at)],
  };
}
