import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import { type StepHandle, type StepMarker, UNCLEAR_RUN } from "../../domain/deployments.ts";
import { errorFacts, ForgeError } from "../../domain/errors.ts";
import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import { fileOf, markerText, ownAmong, sinceOnGitHub } from "../dispatched-runs.ts";
import type { DeploymentOnGitHub } from "../github-repository.ts";
import { beginRefusal, unclearRun } from "../words/deploy/begin-refusal.ts";
import { statusText } from "../words/deploy/status-text.ts";
import type { EffectHandler, EffectOf, Look, Send } from "./effect-ports.ts";
import { orRefused } from "./metered-writes.ts";

type Begin = EffectOf<"deployment.begin">;

/**
 * Begins a step of a deployment (DEP-2): a deployment on GitHub to which a workflow reacts, or the run of a workflow. What may have been begun
 * is found by the marker in its payload or its title, so that no step is begun twice.
 */
export const beginDeployment: EffectHandler<"deployment.begin", undefined> = {
  find: async (effect, look) => {
    if (effect.payload.step.way !== "workflow_dispatch") {
      const handle = await findDeployment(effect, look);
      return handle ? { settled: begun(handle) } : { there: undefined };
    }
    const { own, unnamed } = await findRun(effect, look);
    if (own) return { settled: begun(own) };
    // Starting it again could deploy twice, and following the wrong one could call a step done that is not.
    return unnamed > 0 ? { settled: unclear(effect) } : { there: undefined };
  },
  send: (effect, _, ports) =>
    effect.payload.step.way === "workflow_dispatch" ? dispatch(effect, ports) : request(effect, ports),
};

function begun(handle: StepHandle): EffectOutcome {
  return { kind: "done", result: { handle } };
}

/** Version of what stands in the payload: workflows read it. */
const PAYLOAD_VERSION = 1;
const Payload = z.object({ forge: z.object({ run: z.string(), step: z.number() }) });

async function findDeployment({ payload: { step } }: Begin, { repository }: Look): Promise<StepHandle | undefined> {
  const { sha, environment, task, marker } = step;
  const there = await repository.listDeployments({ sha, environment, task });
  const own = there.find((each) => each.byBot && isOf(each, marker));
  return own && { deploymentId: own.id };
}

function isOf({ payload }: DeploymentOnGitHub, { run, step }: StepMarker): boolean {
  const { data } = Payload.safeParse(typeof payload === "string" ? parsed(payload) : payload);
  return data?.forge.run === run && data.forge.step === step;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function request(effect: Begin, { repository, write }: Send): Promise<EffectOutcome> {
  const { step } = effect.payload;
  const { sha, environment, task, production, description, marker, percentage, previous } = step;
  // By a branch GitHub's rules for branches hold and the workflow is told its name; what moved meanwhile is named by its commit.
  const ref = (await repository.readBranch(step.ref)) === sha ? step.ref : sha;
  const forge = { version: PAYLOAD_VERSION, ...marker, percentage, previous_sha: previous ?? null, task };
  const wanted = { ref, environment, task, production, description, payload: { forge } };
  const sent = await orRefused(write.createDeployment(wanted));
  if (!sent.ok) return refused(effect, sent.message);
  return "id" in sent.value ? begun({ deploymentId: sent.value.id }) : refused(effect, sent.value.merged);
}

async function findRun({ payload: { step }, sendingSince }: Begin, { repository, now }: Look) {
  const since = sinceOnGitHub(sendingSince ?? now());
  return ownAmong(await repository.listDispatchedRuns(fileOf(step), since), step, since);
}

async function dispatch(effect: Begin, { write }: Send): Promise<EffectOutcome> {
  const { step } = effect.payload;
  if (fileOf(step) === "") return refused(effect, "no workflow is configured");
  const { environment, sha, percentage, task, marker } = step;
  const inputs = { environment, sha, percentage: `${percentage}`, task, marker: markerText(marker) };
  const sent = await orRefused(write.dispatchWorkflow(fileOf(step), { ref: step.ref, inputs }));
  if (!sent.ok) return refused(effect, sent.message);
  return begun(defined({ workflowRunId: sent.value.runId }));
}

function refused(effect: Begin, said: string): EffectOutcome {
  return failed(effect, "deployment_refused", beginRefusal(effect.payload.step, said));
}

/** Something may be there, and nothing says what. */
function unclear(effect: Begin): EffectOutcome {
  return failed(effect, UNCLEAR_RUN, unclearRun(effect.payload.step));
}

function failed({ key }: Begin, code: string, message: string): EffectOutcome {
  const options = { source: "validation", severity: "high", recoverability: "manual" } as const;
  return { kind: "failed", error: errorFacts(new ForgeError(code, message, { ...options, context: { effect: key } })) };
}

/** Says on a deployment of ours what it is from now on. What it says already, by GitHub itself or by Forge, is not said twice. */
export const sayDeployment: EffectHandler<"deployment.say", undefined> = {
  find: async ({ payload }, { repository, wording }) => {
    const last = await repository.lastDeploymentStatus(payload.deploymentId);
    const { state, description } = statusText(payload, wording);
    // The state by itself may be a word of the workflow's.
    const isSaid = last?.state === state && (state === "inactive" || (last.byBot && last.description === description));
    return isSaid ? { settled: { kind: "done", result: {} } } : { there: undefined };
  },
  send: async ({ payload }, _, { write, wording }) => {
    const { logUrl, step } = payload;
    await write.createDeploymentStatus(payload.deploymentId, {
      ...statusText(payload, wording),
      ...defined({ logUrl, url: step?.url }),
    });
    return { kind: "done", result: {} };
  },
};
