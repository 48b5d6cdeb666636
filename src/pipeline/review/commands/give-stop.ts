import type { CommandGiven } from "../../../domain/inputs.ts";
import { type Outcome, refuse } from "../../runs/commands/deed.ts";
import { applyEffects } from "../../runs/decision.ts";
import { completeCheck } from "../complete-check.ts";
import { isActive, waitsAtGate } from "../run-state.ts";
import type { SubjectView } from "../view.ts";

/**
 * `/forge stop`: the review that is at work ends after its step in flight, and keeps what it has. Its check says so at once; whoever works
 * on it finds out when the step is recorded, and what the work comes to all the same is not taken any more.
 */
export function giveStop({ active: run }: SubjectView, { at, by }: CommandGiven): Outcome {
  if (run?.status === "waiting") return {};
  if (!isActive(run)) return refuse({ reason: "nothing_at_work" });
  const { runId, subject, ends, request, version, status } = run;
  const { headSha } = ends;
  return {
    decision: {
      appends: [{ runId, expectedVersion: version, events: [{ type: "run.stopped", payload: {}, actor: by }] }],
      effects: [
        {
          runId,
          headSha,
          effects: [
            completeCheck(
              { subject, headSha, request },
              { conclusion: "action_required", report: { kind: "stopped", by: by.login } },
            ),
          ],
        },
      ],
      jobs: [applyEffects(subject, at)],
      // Work that has begun is not cut off: a call of a model that is in flight is paid. One that waits has only the job for the deadline.
      cancelJobsOfRuns: status === "pending" || waitsAtGate(run) ? [runId] : [],
    },
  };
}
