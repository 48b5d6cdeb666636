import { effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { ReviewFailed, ReviewParked } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { closeCheck } from "./end-events.ts";
import { isActive } from "./run-state.ts";
import type { SubjectView } from "./view.ts";

/** Work on a run failed. A last failure ends it, and its check says so: never green, never hanging (GH-11a, GH-12a). */
export function failReview(view: SubjectView, input: ReviewFailed): Decision {
  const run = view.addressed;
  if (!isActive(run)) return ignore("the run has ended");
  const { error, attempts } = input;
  const append = (events: NewEvent[]) => [{ runId: run.runId, expectedVersion: run.version, events }];
  const occurred: NewEvent = { type: "error.occurred", phase: "review", payload: { error, during: "review" } };
  if (!input.final) return { ...NOTHING, appends: append([occurred]) };
  const report = { kind: "failed", message: error.message, code: error.code, attempts } as const;
  return {
    appends: append([
      occurred,
      { type: "phase.failed", phase: "review", payload: { phase: "review", error } },
      { type: "run.failed", payload: { error, attempts } },
    ]),
    ...closeCheck(run, { conclusion: "action_required", report }, input.at),
    cancelJobsOfRuns: [run.runId],
  };
}

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
