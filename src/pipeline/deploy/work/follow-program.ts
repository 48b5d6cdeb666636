import { defined } from "../../../domain/defined.ts";
import type { StepOutcome } from "../../../domain/deployments.ts";
import type { DeployStepped } from "../../../domain/inputs.ts";
import { listEffectsOfRun, type StoredEffect } from "../../../store/effects/read-effects.ts";
import { markEffectSending, type Settlement, settleEffect } from "../../../store/effects/settle-effect.ts";
import type { Store } from "../../../store/store.ts";
import { handleInput, submit } from "../../runs/handle-input.ts";
import type { Deployment, StepState } from "../deployment.ts";
import { inTime } from "../steps.ts";
import type { DeployDependencies, DeployJob } from "./deploy-job.ts";
import type { RunDeployProgram } from "./ports.ts";

type ProgramDependencies = Pick<DeployDependencies, "store" | "makeId" | "now" | "runDeployProgram">;
type Asked = Parameters<RunDeployProgram>[1];

/** A step by the operator's program as an effect: what it did is looked up before each doing, the first one too. */
const BY_PROGRAM = {
  /** Only reads. `waiting`: nothing of the step is there. */
  find: (program: RunDeployProgram, step: Asked, signal: AbortSignal) => program("look", step, signal),
  send: (program: RunDeployProgram, step: Asked, signal: AbortSignal) => program("deploy", step, signal),
};

/** Whether a step is over: then its effect is settled. */
function isEnd({ is }: StepOutcome): boolean {
  return is !== "waiting" && is !== "running";
}

/**
 * Carries out the effect of a step that the operator's program does (DEP-2), and tells what became of it. It is settled with the end of the
 * step; until then the program is looked at again and again, and does the step where nothing of it is there.
 */
export async function followProgram(
  dependencies: ProgramDependencies,
  job: DeployJob,
  run: Deployment,
  step: StepState,
): Promise<void> {
  const { store, runDeployProgram: program, now } = dependencies;
  const effect = (await ofStep(store, run, step)) ?? (await planned(dependencies, job, run, step));
  if (!effect) return;
  const { key } = effect;
  await dropLeft(dependencies, job, run, key);
  const tell = (outcome: StepOutcome) => settle(dependencies, job, run, { key, step, outcome });
  if (!program) return tell({ is: "rejected", detail: "no program that deploys is set up on this worker" });
  const { owner, name } = run.subject.repository;
  const asked = { ...step.planned, repository: `${owner}/${name}` };
  const found = await BY_PROGRAM.find(program, asked, job.signal);
  if (found.is !== "waiting" || !isOpen(effect)) return tell(inTime(run, step, found, now()));
  await markEffectSending(store, { key, first: true }, now(), job.fence);
  const seen = await BY_PROGRAM.send(program, asked, job.signal);
  await tell(inTime(run, step, seen, now()));
}

type ProgramEffect = Extract<StoredEffect, { kind: "deployment.run" }>;

/** The effects of the steps of a run that the operator's program does, in the order in which they were decided. */
async function programEffects(store: Store, runId: string): Promise<ProgramEffect[]> {
  const effects = await listEffectsOfRun(store, runId);
  return effects.filter((effect) => effect.kind === "deployment.run");
}

/** By the marker and not by its key: of an effect that an earlier version stored, the key may be redacted in part. */
async function ofStep(store: Store, { runId }: Deployment, { planned: { marker } }: StepState) {
  return (await programEffects(store, runId)).find(({ payload }) => payload.step.marker.step === marker.step);
}

/** Steps that an earlier version began have no effect yet: deciding plans it. Undefined where the deployment has moved on since it was read. */
async function planned(
  dependencies: ProgramDependencies,
  job: DeployJob,
  run: Deployment,
  step: StepState,
): Promise<ProgramEffect | undefined> {
  await submit(dependencies, job, { type: "deploy.looked", runId: run.runId });
  return ofStep(dependencies.store, run, step);
}

function isOpen({ state }: ProgramEffect): boolean {
  return state === "planned" || state === "sending";
}

/** Tells the outcome; the end of a step settles its effect in the same transaction. */
async function settle(
  dependencies: ProgramDependencies,
  { fence, subject }: DeployJob,
  { runId }: Deployment,
  { key, step, outcome }: { readonly key: string; readonly step: StepState; readonly outcome: StepOutcome },
): Promise<void> {
  const { store, makeId, now } = dependencies;
  const at = now();
  const told = { type: "deploy.stepped", runId, subject, step: step.planned.marker.step, outcome } as const;
  const input = { ...told, at, newRunId: makeId() } as DeployStepped;
  if (!isEnd(outcome)) {
    await handleInput(dependencies, input, fence);
    return;
  }
  // Only without a program nothing could be done; how a step ended otherwise is its outcome.
  const settlement: Settlement =
    outcome.is === "rejected"
      ? { state: "failed", ...defined({ error: outcome.detail }) }
      : { state: "done", result: { outcome } };
  const { ignored } = await handleInput(dependencies, input, fence, { key, settlement });
  if (ignored !== undefined) await settleEffect(store, { key, settlement }, at, fence);
}

/** Settles the effects of steps that the deployment has left, by going back or by ending. @param current the effect of the step at hand */
export async function dropLeft(
  { store, now }: Pick<DeployDependencies, "store" | "now">,
  { fence }: Pick<DeployJob, "fence">,
  { runId }: Pick<Deployment, "runId">,
  current?: string,
): Promise<void> {
  const left = (await programEffects(store, runId)).filter((effect) => effect.key !== current && isOpen(effect));
  for (const { key } of left) {
    await settleEffect(store, { key, settlement: { state: "obsolete", error: OVER } }, now(), fence);
  }
}

const OVER = "the deployment is beyond this step";
