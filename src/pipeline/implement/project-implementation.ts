import { defined } from "../../domain/defined.ts";
import type { RunProjection } from "../../store/runs/upsert-runs.ts";
import { type Implementation, openGates } from "./implementation.ts";

/** The row of a run on an issue: `headSha` is what stands on its branch, empty before there is one. */
export function projectImplementation(run: Implementation): RunProjection {
  const { runId, kind, subject, status, base, request, startedAt, version, endedAt, end, pushed, pull, branch } = run;
  const isWaiting = status === "running" && openGates(run).length > 0;
  return {
    traceId: runId,
    kind,
    subject,
    status: isWaiting ? "waiting" : status,
    headSha: pushed ?? "",
    baseSha: base?.sha ?? "",
    requestId: request.id,
    startedAt,
    version,
    ...defined({ endedAt }),
    ...(end === undefined
      ? {}
      : { conclusion: end.is === "completed" ? "success" : end.is === "failed" ? "failure" : "cancelled" }),
    ...defined({ pullNumber: pull?.number, branch }),
  };
}
