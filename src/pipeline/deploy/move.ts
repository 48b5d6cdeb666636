import { defined } from "../../domain/defined.ts";
import type { DeployOutcome, DeployRefusal } from "../../domain/deployments.ts";
import { type Effect, isOnHost } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Conclusion } from "../../domain/phases.ts";
import { subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, NOTHING } from "../runs/decision.ts";
import { elapsedMs } from "../runs/kind.ts";
import { deployOn } from "./deploy-on.ts";
import { currentStep, type Deployment } from "./deployment.ts";
import { sayBecame } from "./say-became.ts";

/** What a decision changes about a deployment and its environment. */
export interface Move {
  readonly events: readonly NewEvent[];
  /** For the environment's own log. */
  readonly own?: readonly NewEvent[];
  readonly effects?: readonly Effect[];
  /** Effects in the conversation that the deployment is told in. */
  readonly told?: readonly Effect[];
  /** A worker takes the deployment up now, whatever look was planned. Where the worker itself tells it goes on by itself. */
  readonly wake?: boolean;
}

/** A move as a decision. @param ownVersion of the environment's own log */
export function moved(
  run: Pick<Deployment, "runId" | "subject" | "version" | "deploy">,
  ownVersion: number,
  { events, own = [], effects = [], told = [], wake = false }: Move,
  at: string,
): Decision {
  const { runId, subject, version } = run;
  const about = told.length > 0 ? run.deploy.about : undefined;
  return {
    ...NOTHING,
    appends: [
      ...(events.length > 0 ? [{ runId, expectedVersion: version, events: [...events] }] : []),
      ...(own.length > 0 ? [{ runId: subjectKey(subject), expectedVersion: ownVersion, events: [...own] }] : []),
    ],
    effects: [
      ...(effects.length > 0 ? [{ runId, headSha: "", effects: [...effects] }] : []),
      ...(about ? [{ runId, headSha: "", effects: [...told], subject: about }] : []),
    ],
    jobs: [
      ...(wake ? [deployOn(run, at)] : []),
      ...(effects.some(isOnHost) ? [applyEffects(subject, at)] : []),
      ...(about ? [applyEffects(about, at)] : []),
    ],
    cancelJobsOfRuns: wake ? [runId] : [],
  };
}

/** What each end means for the check. */
export const DEPLOY_CONCLUSIONS: Readonly<Record<DeployOutcome, Conclusion>> = {
  healthy: "success",
  unwatched: "neutral",
  degraded: "failure",
  rolled_back: "failure",
  rollback_failed: "failure",
  refused: "neutral",
  failed: "failure",
  rejected: "neutral",
  superseded: "neutral",
  held: "neutral",
};

/** Ends after which nothing is deployed to the environment until a person lifts that. */
const HOLDS: ReadonlySet<DeployOutcome> = new Set(["rolled_back", "rollback_failed"]);

/** The last events of a deployment, and what they mean for its environment. A worker then does what follows elsewhere. */
export function finish(
  run: Deployment,
  at: string,
  end: { readonly outcome: DeployOutcome; readonly refusal?: DeployRefusal; readonly reason?: string },
): Move {
  const { outcome, refusal, reason } = end;
  const { runId, deploy, phases, steps } = run;
  const { sha } = deploy;
  const none = { critical: 0, error: 0, warning: 0, info: 0 };
  const last = currentStep(run);
  const isThere = last?.doneAt !== undefined && last.planned.sha;
  const held = HOLDS.has(outcome) && run.back;
  return {
    events: [
      { type: "deployment.completed", payload: { outcome, sha, ...defined({ refusal, reason }) } },
      {
        type: "run.completed",
        payload: {
          outcome,
          conclusion: DEPLOY_CONCLUSIONS[outcome],
          phases: [...phases],
          durationMs: elapsedMs(run.startedAt, at),
          totals: { findings: none, costUsd: 0, tokens: 0 },
          artifacts: steps.map(
            ({ planned }) => `${planned.task} of ${planned.sha.slice(0, 7)} at ${planned.percentage} %`,
          ),
        },
      },
    ],
    own: [
      ...(isThere ? [deployedEvent(runId, isThere, outcome === "healthy" || outcome === "rolled_back")] : []),
      ...(held ? [holdEvent(at, { by: run.back?.by ?? "forge", why: held.reason, runId })] : []),
    ],
    effects: sayBecame(run, outcome, reason),
  };
}

function deployedEvent(runId: string, sha: string, healthy: boolean): NewEvent {
  return { type: "environment.deployed", payload: { sha, runId, healthy } };
}

/** Nothing is deployed from now on. */
export function holdEvent(
  at: string,
  hold: { readonly by: string; readonly why: string; readonly runId?: string },
): NewEvent {
  return { type: "environment.held", payload: { hold: { ...hold, at } } };
}
