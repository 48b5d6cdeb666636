import { defined } from "../../domain/defined.ts";
import type { Conclusion } from "../../domain/phases.ts";
import type { RunProjection } from "../../store/runs/upsert-runs.ts";
import { type RunState, waitsAtGate } from "./run-state.ts";

/** The row of a run; tables are projections of events and can be made anew from them at any time. */
export function projectRun(run: RunState): RunProjection {
  const ended = "endedAt" in run ? { endedAt: run.endedAt } : {};
  const conclusion = conclusionOf(run);
  return {
    traceId: run.runId,
    kind: run.kind,
    subject: run.subject,
    status: run.status === "running" && waitsAtGate(run) ? "waiting" : run.status,
    headSha: run.ends.headSha,
    baseSha: run.ends.baseSha,
    requestId: run.request.id,
    startedAt: run.startedAt,
    version: run.version,
    ...ended,
    ...defined({ conclusion }),
  };
}

function conclusionOf(run: RunState): Conclusion | undefined {
  if (run.status === "completed") return run.conclusion;
  if (run.status === "failed") return "action_required";
  // A run that was cancelled before any work began has no conclusion: it does not count against the limits (GH-8b).
  if (run.status === "cancelled" && run.begun) return "cancelled";
  return undefined;
}
