import type { PhaseFinished } from "../../../../src/domain/inputs.ts";
import type { Implementation } from "../../../../src/pipeline/implement/implementation.ts";

type Told = Pick<PhaseFinished, "type" | "runId" | "phase" | "outcome" | "durationMs" | "costUsd">;

/** The work of the phase: a preview of the head stands, or it could not be built. */
export function showPreview({ runId, costUsd, work }: Implementation, builds: (headSha: string) => boolean): Told {
  const took = { runId, phase: "deployment", durationMs: 1_000, costUsd } as const;
  if (work && builds(work.headSha)) {
    return { type: "phase.finished", ...took, outcome: { is: "passed", reason: "its preview stands" } };
  }
  const message = "The preview does not build.";
  const feedback = [{ from: "instruction", id: "P-1", by: "forge", message }] as const;
  return { type: "phase.finished", ...took, outcome: { is: "back", cause: "conflict", reason: message, feedback } };
}
