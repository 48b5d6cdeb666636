import type { AgentOutcome } from "../../../agents/reviewer/ports.ts";
import { defined } from "../../../domain/defined.ts";
import type { WorkHalted } from "../../../domain/inputs.ts";
import { chosenModels, type Models } from "../../../llm/create-models.ts";
import { limitOf } from "../../runs/definition.ts";
import { submit } from "../../runs/handle-input.ts";
import type { Implementation, Looked } from "../implementation.ts";
import type { WorkDependencies, WorkJob } from "./work-job.ts";

/** The run stands still until people have it go on, without an agent having worked; they read why. */
export async function haltWork(
  dependencies: WorkDependencies,
  job: WorkJob,
  { runId, costUsd }: Pick<Implementation, "runId" | "costUsd">,
  { reason, durationMs = 0 }: { readonly reason: string; readonly durationMs?: number },
): Promise<void> {
  await submit(dependencies, job, { type: "work.halted", runId, durationMs, costUsd, reason });
}

/** How many files that do not merge are named to people. */
const MOST_NAMED = 10;

/** The files that do not merge, as such a reason names them. */
export function nameConflicts(files: readonly string[]): string {
  return files
    .slice(0, MOST_NAMED)
    .map((path) => `\`${path}\``)
    .join(", ");
}

type Configured = Extract<Models, { configured: true }>;

/** The models of the repository; where none works there the run is halted with a sentence for people, and undefined is returned. */
export async function findModelsOrHalt(
  dependencies: WorkDependencies,
  job: WorkJob,
  run: Looked,
): Promise<Configured | undefined> {
  const models = await dependencies.ai.modelsFor(chosenModels(run.configuration));
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
  const own = limit && (limit.scope === undefined || ["phase", "run", "subject"].includes(limit.scope));
  const name = own ? limitOf(limit.name) : undefined;
  return { reason, ...defined({ limit: name }), ...(name && limit?.scope === "run" ? { ofRun: true } : {}) };
}
