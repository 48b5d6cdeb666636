import { defined } from "../../domain/defined.ts";
import type { DeployRequest, Hold } from "../../domain/deployments.ts";
import type { Others, PlacedEvent } from "../../domain/events.ts";
import { evolveGates } from "../runs/gates/evolve-gates.ts";
import { replayBy, runWithoutStart } from "../runs/kind.ts";
import { type Deployment, isWatch, type StepState } from "./deployment.ts";

/** Folds one event into a deployment: pure, so that the same events always give the same state. */
export function evolveDeployment(state: Deployment | undefined, event: PlacedEvent): Deployment {
  if (event.type === "run.started" && event.payload.kind === "deploy") {
    const { subject, deploy } = event.payload;
    return {
      ...{ kind: "deploy", runId: event.traceId, version: event.version, subject, deploy, startedAt: event.at },
      ...{ status: "pending", phases: [], gates: [], steps: [] },
    };
  }
  if (!state) throw runWithoutStart(event.traceId);
  const next = { ...state, ...change(state, event), version: event.version };
  return { ...next, gates: evolveGates(next.gates, event) };
}

function change(state: Deployment, event: PlacedEvent): Partial<Deployment> {
  switch (event.type) {
    case "deployment.observed":
      return { observed: event.payload, configuration: { gates: event.payload.gates }, status: "running" };
    case "phase.entered": {
      const { phase } = event.payload;
      const watched = isWatch(phase) ? { watchedSince: event.at } : {};
      return { phase, phases: [...new Set([...state.phases, phase])], ...watched };
    }
    case "deployment.verified":
      return { verified: event.payload };
    case "deployment.announced":
      return { announced: event.payload };
    case "deployment.started": {
      const { step: planned } = event.payload;
      const step: StepState = { planned, startedAt: event.at, outcome: { is: "waiting" }, samples: [] };
      return { steps: [...state.steps, step] };
    }
    case "deployment.progressed": {
      const { step, handle, outcome } = event.payload;
      const done = outcome.is === "done" ? { doneAt: event.at } : {};
      return changed(state, step, (before) => {
        const free = before.outcome.awaits && !outcome.awaits ? { freeSince: event.at } : {};
        return { ...before, outcome, handle: { ...before.handle, ...handle }, ...free, ...done };
      });
    }
    case "deployment.judged": {
      const { step, sample, verdict } = event.payload;
      return changed(state, step, (before) => ({ ...before, samples: [...before.samples, sample], verdict }));
    }
    case "deployment.explained":
      return { explained: event.payload };
    case "deployment.unclear":
      return changed(state, event.payload.step, (before) => ({ ...before, unclear: true }));
    case "deployment.promoted":
      return {
        ...changed(state, event.payload.step, (before) => ({ ...before, promoted: true })),
        stopped: undefined,
      };
    case "deployment.rolled_back":
      return { back: { ...event.payload, at: event.at, ...defined({ by: event.actor?.login }) } };
    case "deployment.completed": {
      const { outcome, refusal, reason } = event.payload;
      return { end: { outcome, refusal, reason } };
    }
    case "deployment.overridden":
      return { overridden: { by: event.actor?.login ?? "", reason: event.payload.reason } };
    case "run.stopped":
      return { stopped: { by: event.actor?.login ?? "" } };
    case "run.resumed":
      return { stopped: undefined };
    case "run.completed":
      return { status: "completed", endedAt: event.at };
    case "run.failed":
      return { status: "failed", endedAt: event.at };
    case "run.cancelled":
      return { status: "cancelled", endedAt: event.at };
    default:
      event.type satisfies Others<"deployment" | "run", "run.started" | "run.noted" | "run.reflected" | "run.outcome">;
      return {};
  }
}

function changed(state: Deployment, step: number, by: (before: StepState) => StepState): Partial<Deployment> {
  return { steps: state.steps.map((one) => (one.planned.marker.step === step ? by(one) : one)) };
}

export function replayDeployment(events: readonly PlacedEvent[]): Deployment | undefined {
  return replayBy(evolveDeployment, events);
}

/** What is of an environment and of no run, as its own log tells it. */
export interface EnvironmentFacts {
  /** The version that was brought there last. */
  readonly running?: { readonly sha: string; readonly since: string } | undefined;
  /** The last version that was found healthy there: what a rollback goes back to. */
  readonly healthy?: string | undefined;
  readonly hold?: Hold | undefined;
  /** What is deployed after what is under way. */
  readonly next?: DeployRequest | undefined;
}

/** Folds one event of an environment's own log. */
export function evolveEnvironment(facts: EnvironmentFacts, event: PlacedEvent): EnvironmentFacts {
  switch (event.type) {
    case "environment.deployed": {
      const { sha, healthy } = event.payload;
      const running = facts.running?.sha === sha ? facts.running : { sha, since: event.at };
      return { ...facts, running, ...(healthy ? { healthy: sha } : {}) };
    }
    case "environment.held":
      return { ...facts, hold: event.payload.hold };
    case "environment.released":
      return { ...facts, hold: undefined };
    case "environment.queued":
      return { ...facts, next: event.payload.deploy };
    case "environment.unqueued":
      return { ...facts, next: undefined };
    default:
      event.type satisfies Others<"environment">;
      return facts;
  }
}
