import { effectKey } from "../../domain/effects.ts";
import type { ReviewProgressed } from "../../domain/inputs.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { waitsAtGate } from "./run-state.ts";
import type { SubjectView } from "./view.ts";

/** A review is under way: its check and its page say what it does (GH-12). */
export function progressReview(view: SubjectView, { activity, at }: ReviewProgressed): Decision {
  const run = view.addressed;
  // Its check has the buttons of a gate then.
  if (run?.status !== "running" || waitsAtGate(run)) return ignore("the run is not at work");
  const { runId, subject, ends, request, version } = run;
  const { headSha } = ends;
  const of = subjectKey(subject);
  const shown = {
    kind: "check.progress",
    key: effectKey("check.progress", of, headSha, request.id, String(version)),
    payload: { check: "forge/review", headSha, openKey: effectKey("check.open", of, headSha, request.id), activity },
  } as const;
  return {
    ...NOTHING,
    appends: [
      { runId, expectedVersion: version, events: [{ type: "review.progressed", phase: "review", payload: activity }] },
    ],
    effects: [{ runId, headSha, effects: [shown] }],
    jobs: [applyEffects(subject, at)],
  };
}
