import { defined } from "../../domain/defined.ts";
import {
  type EnvironmentSettings,
  environmentOf,
  type PlannedStep,
  type StepOutcome,
  stepsFor,
} from "../../domain/deployments.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { elapsedMs } from "../runs/kind.ts";
import { DEPLOYMENT, type DeployStage } from "./definition.ts";
import { currentStep, type Deployment, type Observed, openGate, type StepState, stageOf } from "./deployment.ts";
import { finish, type Move } from "./move.ts";

const MINUTE_MS = 60_000;

/** Shares of the traffic that the deployment goes through, in percent. */
export function plannedShares({ observed, deploy }: Pick<Observed, "observed" | "deploy">): readonly number[] {
  return deploy.cause === "rollback" ? [100] : stepsFor(observed.settings, observed.facts.risk);
}

/** Whether more of the traffic is still to get it. */
export function sharesLeft(run: Observed): boolean {
  const { percentage = 100 } = currentStep(run)?.planned ?? {};
  return percentage < 100 && run.steps.length < plannedShares(run).length;
}

/** Begins the next step forward. */
export function beginNext(run: Observed): Move {
  const forward = run.steps.filter(
    ({ planned }) => planned.task === "deploy" || run.deploy.cause === "rollback",
  ).length;
  const percentage = plannedShares(run)[forward] ?? 100;
  const task = run.deploy.cause === "rollback" ? "rollback" : "deploy";
  return begin(run, { sha: run.deploy.sha, percentage, task, ref: run.observed.facts.ref });
}

type Wanted = Pick<PlannedStep, "sha" | "percentage" | "task" | "ref">;

function begin(run: Observed, wanted: Wanted): Move {
  const { runId, subject, observed, steps } = run;
  const { settings, environment, facts } = observed;
  const step: PlannedStep = {
    ...wanted,
    marker: { run: runId, step: steps.length },
    environment,
    way: settings.way,
    production: environmentOf(subject) === "production",
    description: describe(wanted, steps.length),
    ...defined({ workflow: settings.workflow, previous: facts.previous }),
  };
  const event: NewEvent = { type: "deployment.started", payload: { step } };
  return {
    events: [...entered(run, "deploying", "the version is let through"), event],
    effects: [stepEffect(run, step)],
  };
}

/** What has a step done: by the operator's program, or by what GitHub starts. */
export function stepEffect({ runId, subject }: Pick<Deployment, "runId" | "subject">, step: PlannedStep): Effect {
  const kind = step.way === "program" ? "deployment.run" : "deployment.begin";
  return { kind, key: effectKey(kind, subjectKey(subject), step.sha, runId, `${step.marker.step}`), payload: { step } };
}

function describe({ task, percentage, sha }: Wanted, step: number): string {
  const what = task === "rollback" ? "Forge goes back to" : "Forge deploys";
  return `${what} ${sha.slice(0, 7)}, step ${step + 1}: ${percentage} % of the traffic`;
}

/** Enters the phase of a stage, where the deployment is not in it. */
export function entered(run: Pick<Deployment, "phase">, stage: DeployStage, reason: string): NewEvent[] {
  const { phase } = DEPLOYMENT.stages[stage];
  if (phase === undefined || phase === run.phase) return [];
  return [{ type: "phase.entered", phase, payload: { phase, round: 1, reason } }];
}

type Cause = Extract<NewEvent, { type: "deployment.rolled_back" }>["payload"]["why"];

/** Begins a step back to the last version that was healthy, by the way that the deployment came; undefined where there is none. */
export function beginBack(run: Observed): Move | undefined {
  const { back: to, facts } = run.observed;
  if (to === undefined || to === run.deploy.sha) return undefined;
  return begin(run, { sha: to, percentage: 100, task: "rollback", ref: facts.ref });
}

/** Goes back, or ends where there is nothing to go back to: then people have to act. */
export function rollBack(run: Observed, at: string, why: Cause, reason: string, by?: NewEvent["actor"]): Move {
  const { back: to } = run.observed;
  const from = run.deploy.sha;
  const begun = beginBack(run);
  const event: NewEvent = {
    type: "deployment.rolled_back",
    payload: { from, why, reason, ...defined({ to: to === from ? undefined : to }) },
    ...defined({ actor: by }),
  };
  if (!begun) {
    const back = { from, why, reason, at, ...defined({ by: by?.login }) };
    const end = finish({ ...run, back }, at, { outcome: "rollback_failed", reason });
    return { ...end, events: [event, ...end.events] };
  }
  return { ...begun, events: [event, ...begun.events] };
}

/** Milliseconds that a stage lasts at least, and after how many more a person is asked: as the repository has it. */
export function timesOf(
  stage: DeployStage,
  settings: EnvironmentSettings,
): { readonly lasts: number; readonly asks: number } {
  const { lasts, asksAfter } = DEPLOYMENT.stages[stage];
  const ms = (setting: typeof lasts) => (setting === undefined ? 0 : settings[setting] * MINUTE_MS);
  return { lasts: ms(lasts), asks: ms(asksAfter) };
}

/** When a worker has to look at a deployment again (ISO 8601); undefined where nothing but people or an end is awaited. */
export function nextLook(run: Deployment, at: string): string | undefined {
  const { looks } = DEPLOYMENT.stages[stageOf(run)];
  if (!looks || !run.observed) return undefined;
  if ("at" in looks) return looks.at === "due" ? run.announced?.due : openGate(run)?.deadline;
  const probeMs = run.observed.settings.probe_seconds * 1_000;
  const step = currentStep(run);
  const after = (from: string, ms: number) => new Date(Date.parse(from) + ms).toISOString();
  if ("every" in looks) return after(step?.samples.at(-1)?.to ?? step?.doneAt ?? at, probeMs);
  return after(at, Math.min(step?.outcome.awaits ? looks.heldMs : looks.everyMs, probeMs));
}

/**
 * What has not begun, or not come to an end, in time has failed. No limit runs while GitHub holds the step back, and both count from when
 * that ended. @param at now, ISO 8601
 */
export function inTime(
  { observed }: Pick<Deployment, "observed">,
  { startedAt, freeSince, outcome }: Pick<StepState, "startedAt" | "freeSince" | "outcome">,
  seen: StepOutcome,
  at: string,
): StepOutcome {
  if (!observed || seen.awaits || outcome.awaits) return seen;
  const limit =
    seen.is === "waiting" || seen.is === "running" ? DEPLOYMENT.stages.deploying.inTime?.[seen.is] : undefined;
  if (!limit) return seen;
  const minutes = elapsedMs(freeSince ?? startedAt, at) / MINUTE_MS;
  return minutes >= observed.settings[limit.within] ? { ...seen, is: limit.else } : seen;
}
