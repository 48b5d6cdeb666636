import { defined } from "../../domain/defined.ts";
import type { Others, PlacedEvent } from "../../domain/events.ts";
import { limitOf } from "../runs/definition.ts";
import { evolveGates } from "../runs/gates/evolve-gates.ts";
import { replayBy, runWithoutStart } from "../runs/kind.ts";
import type { RunState } from "./run-state.ts";

/** Folds one event into a run (PIPE-2): pure, so that the same events always give the same state. */
export function evolve(state: RunState | undefined, event: PlacedEvent): RunState {
  if (event.type === "run.started" && event.payload.kind === "review") {
    const { kind, subject, ends, request, updatedAt, implements: work } = event.payload;
    return {
      status: "pending",
      runId: event.traceId,
      version: event.version,
      kind,
      subject,
      ends,
      request,
      startedAt: event.at,
      ...defined({ updatedAt, implements: work }),
    };
  }
  if (!state) throw runWithoutStart(event.traceId);
  const gates = evolveGates(state.gates ?? [], event);
  return { ...transition(state, event), version: event.version, ...(gates.length > 0 ? { gates } : {}) };
}

function transition(state: RunState, event: PlacedEvent): RunState {
  const { runId, version, kind, subject, request, startedAt, implements: work } = state;
  const { shown, leftOut, updatedAt, endedAtLimits, instructions, faults } = state;
  const seen = defined({ endedAtLimits, implements: work, instructions, updatedAt, shown, leftOut, faults });
  const known = { runId, version, kind, subject, ends: state.ends, request, startedAt, ...seen };
  switch (event.type) {
    case "phase.entered":
      if (!("ends" in event.payload)) return state;
      return {
        ...known,
        ...defined({ updatedAt: event.payload.updatedAt }),
        ends: event.payload.ends,
        status: "running",
        phase: "review",
        phaseEnteredAt: event.at,
        configuration: event.payload.configuration,
      };
    case "phase.skipped":
      return { ...state, leftOut: event.payload.reason };
    case "production.traced":
      return { ...state, faults: [...(state.faults ?? []), event.payload.fault] };
    case "check.settled":
      return { ...state, shown: event.payload.conclusion };
    case "risk.assessed":
      return state.status === "running" ? { ...state, risk: event.payload } : state;
    case "review.completed": {
      if (state.status !== "running") return state;
      const { risk } = state;
      const review = { ...event.payload, durationMs: event.durationMs ?? 0, ...defined({ risk }) };
      return { ...state, review };
    }
    case "agent.failed":
      return { ...state, ...atLimit(state, event.payload.limit) };
    case "run.stopped": {
      const stoppedBy = event.actor?.login ?? "forge";
      return { ...known, status: "waiting", stoppedAt: event.at, stoppedBy, begun: hasBegun(state) };
    }
    case "run.resumed": {
      // A worker that takes it up changes nothing; a person has it begin anew on what it kept.
      const { request: asked, instructions: said } = event.payload;
      if (!asked) return state;
      const fresh = { runId, version, kind, subject, ends: state.ends, startedAt };
      const when = defined({ updatedAt, implements: work });
      return { ...fresh, ...when, request: asked, status: "pending", ...defined({ instructions: said || undefined }) };
    }
    case "run.completed": {
      const { outcome, conclusion, totals } = event.payload;
      const review = state.status === "running" && state.review ? { review: state.review } : {};
      return {
        ...known,
        status: "completed",
        endedAt: event.at,
        outcome,
        conclusion,
        open: totals.findings,
        ...review,
      };
    }
    case "run.failed": {
      const { error, attempts } = event.payload;
      const { code, message } = error;
      return { ...known, status: "failed", endedAt: event.at, error: { code, message }, attempts };
    }
    case "run.cancelled":
      return {
        ...known,
        status: "cancelled",
        endedAt: event.at,
        reason: event.payload.reason,
        begun: hasBegun(state),
      };
    default:
      event.type satisfies Others<
        "run" | "phase" | "review" | "check",
        | "run.started"
        | "run.noted"
        | "run.reflected"
        | "run.outcome"
        | "phase.completed"
        | "phase.bounced"
        | "phase.failed"
        | "check.overridden"
        | "review.parked"
        | "review.progressed"
      >;
      return state;
  }
}

function hasBegun(state: RunState): boolean {
  return state.status === "running" || (state.status === "waiting" && state.begun);
}

function atLimit({ endedAtLimits = [] }: RunState, breaker: string | undefined): Pick<RunState, "endedAtLimits"> {
  const limit = limitOf(breaker);
  return limit && !endedAtLimits.includes(limit) ? { endedAtLimits: [...endedAtLimits, limit] } : {};
}

/** The state of a run from its events alone (EVT-3: snapshot); undefined for a run that never was. */
export function replay(events: readonly PlacedEvent[]): RunState | undefined {
  return replayBy(evolve, events);
}
