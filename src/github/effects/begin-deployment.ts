import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import { type PlannedStep, type StepHandle, type StepMarker, UNCLEAR_RUN } from "../../domain/deployments.ts";
import { errorFacts, ForgeError } from "../../domain/errors.ts";
import type { EffectOutcome } from "../../pipeline/runs/effects/write-port.ts";
import type { DeploymentOnGitHub } from "../github-repository.ts";
import { beginRefusal, unclearRun } from "../words/deploy/begin-refusal.ts";
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

/** A run as its `run-name` may name it: `${{ inputs.marker }}`. */
function markerText({ run, step }: StepMarker): string {
  return `${run}/${step}`;
}

const fileOf = ({ workflow = "" }: PlannedStep) => workflow.split("/").at(-1) ?? "";

/** Between GitHub's clock and this one. */
const CLOCKS_MS = 10_000;

/** The marker of some step: the id of a run, and a number. */
const OTHER_MARKER = /\b[0-9A-HJKMNP-TV-Z]{26}\/\d/;

/** By the marker in the run's title: nothing else tells one run from another that was started in the same minute. */
async function findRun({ payload: { step }, sendingSince }: Begin, { repository, now }: Look) {
  const since = new Date(Date.parse(sendingSince ?? now()) - CLOCKS_MS).toISOString();
  const runs = (await repository.listDispatchedRuns(fileOf(step), since)).filter(
    ({ byBot, createdAt }) => byBot && Date.parse(createdAt) >= Date.parse(since),
  );
  const marker = markerText(step.marker);
  const own = runs.find(({ title }) => title.split(/\s+/).includes(marker));
  // A title with another step's marker is another step's run.
  const unnamed = runs.filter(({ title }) => !title.includes(`${step.marker.run}/`) && !OTHER_MARKER.test(title));
  return { own: own && { workflowRunId: own.id }, unnamed: unnamed.length };
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

/** Says on a deployment of ours what it is from now on. What it says already is not said twice. */
export const sayDeployment: EffectHandler<"deployment.say", undefined> = {
  find: async ({ payload: { deploymentId, state, description } }, { repository }) => {
    const last = await repository.lastDeploymentStatus(deploymentId);
    const isSaid = last?.byBot && last.state === state && last.description === description;
    return isSaid ? { settled: { kind: "done", result: {} } } : { there: undefined };
  },
  send: async ({ payload: { deploymentId, state, description, url } }, _, { write }) => {
    await write.createDeploymentStatus(deploymentId, { state, description, ...defined({ logUrl: url }) });
    return { kind: "done", result: {} };
  },
};
