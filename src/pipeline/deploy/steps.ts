import { defined } from "../../domain/defined.ts";
import { environmentOf, type PlannedStep, type StepOutcome, stepsFor } from "../../domain/deployments.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { elapsedMs } from "../runs/kind.ts";
import type { Deployment, Observed, StepState } from "./deployment.ts";
import { finish, type Move } from "./move.ts";

const MINUTE_MS = 60_000;

/** Shares of the traffic that the deployment goes through, in percent. */
export function plannedShares({ observed, deploy }: Pick<Observed, "observed" | "deploy">): readonly number[] {
  return deploy.cause === "rollback" ? [100] : stepsFor(observed.settings, observed.facts.risk);
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
  const entered: NewEvent[] = run.phase === "deployment" ? [] : [enter("deployment", "the version is let through")];
  const effects: Effect[] =
    step.way === "program"
      ? []
      : [
          {
            kind: "deployment.begin",
            key: effectKey("deployment.begin", subjectKey(subject), step.sha, runId, `${steps.length}`),
            payload: { step },
          },
        ];
  return { events: [...entered, event], effects };
}

function describe({ task, percentage, sha }: Wanted, step: number): string {
  const what = task === "rollback" ? "Forge goes back to" : "Forge deploys";
  return `${what} ${sha.slice(0, 7)}, step ${step + 1}: ${percentage} % of the traffic`;
}

/** A phase of a deployment begins; each is entered once. */
export function enter(phase: "verification" | "deployment" | "monitoring", reason: string): NewEvent {
  return { type: "phase.entered", phase, payload: { phase, round: 1, reason } };
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

/** Milliseconds that a step is watched before the next one; the last one is watched on after that. */
export function bakeMs({ observed }: Observed): number {
  return observed.settings.bake_minutes * MINUTE_MS;
}

/** When a worker has to look at a deployment again (ISO 8601); undefined where nothing but people or an end is awaited. */
export function nextLook(run: Deployment, at: string): string | undefined {
  const { observed } = run;
  if (run.endedAt !== undefined || !observed) return undefined;
  const open = run.gates.find(({ standing }) => standing.is === "open");
  if (open) return open.deadline;
  const step = run.steps.at(-1);
  if (!step) return run.announced?.due;
  const probeMs = observed.settings.probe_seconds * 1_000;
  const followMs = step.outcome.awaits ? AWAIT_MS : FOLLOW_MS;
  if (step.doneAt === undefined) return new Date(Date.parse(at) + Math.min(followMs, probeMs)).toISOString();
  const last = step.samples.at(-1)?.to ?? step.doneAt;
  return new Date(Date.parse(last) + probeMs).toISOString();
}

/** How often a step that is being deployed is looked at, beside what webhooks tell. */
const FOLLOW_MS = 15_000;
/** The same while people on GitHub are waited for, who take their time. GitHub tells when the workflow goes on. */
const AWAIT_MS = 60_000;

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
  const minutes = elapsedMs(freeSince ?? startedAt, at) / MINUTE_MS;
  const { start_minutes: start, finish_minutes: finish } = observed.settings;
  if (seen.is === "waiting" && minutes >= start) return { ...seen, is: "never_started" };
  if (seen.is === "running" && minutes >= finish) return { ...seen, is: "too_slow" };
  return seen;
}
