import type { AgentOutcome } from "../../../agents/reviewer/ports.ts";
import { defined } from "../../../domain/defined.ts";
import type { WorkHalted } from "../../../domain/inputs.ts";
import type { Models } from "../../../llm/create-models.ts";
import { limitOf } from "../../runs/definition.ts";
import type { Looked } from "../implementation.ts";
import { haltWork } from "./halt-work.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

export type Configured = Extract<Models, { configured: true }>;

/** The models of the repository; where none works there the run is halted with a sentence for people, and undefined is returned. */
export async function findModelsOrHalt(
  dependencies: WorkDependencies,
  job: WorkJob,
  run: Looked,
): Promise<Configured | undefined> {
  const { model, fast_model: fastModel } = run.configuration.llm;
  const models = await dependencies.ai.modelsFor({ model, fastModel });
  if (models.configured) return models;
  const reason = `No model is configured here, so nothing can be planned or written: ${models.reason}`;
  await haltWork(dependencies, job, run, { reason });
  return undefined;
}

/** Why a run stands still, and which limit people can raise. */
export type Halt = Pick<WorkHalted, "reason" | "limit" | "ofRun">;

/** Why an agent that came to no end halts the run, and which limit people can raise. */
export function haltOf({ reason, report }: AgentOutcome<unknown> & { readonly ok: false }): Halt {
  const { limit } = report;
  // A limit of the day or the repository is not the run's to raise.
  const own = limit && (limit.scope === "phase" || limit.scope === "run" || limit.scope === undefined);
  const name = own ? limitOf(limit.name) : undefined;
  return { reason, ...defined({ limit: name }), ...(name && limit?.scope === "run" ? { ofRun: true } : {}) };
}
