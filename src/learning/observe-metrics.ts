import type { EventType } from "../domain/event-catalogue.ts";
import type { PlacedEvent } from "../domain/events.ts";
import type { Grouping, MetricName } from "../domain/metrics.ts";
import type { RunKind } from "../domain/phases.ts";
import { subjectKey } from "../domain/subjects.ts";
import { KINDS } from "../pipeline/kinds.ts";
import { elapsedMs } from "../pipeline/runs/kind.ts";

/** An event with what its log belongs to; no kind for the log of a question. */
export interface Counted {
  readonly event: PlacedEvent;
  readonly kind?: RunKind | undefined;
}

const COUNTED = [
  ...["run.started", "run.completed", "run.failed", "phase.bounced", "task.completed", "review.completed"],
  ...["check.overridden", "check.settled", "gate.requested", "gate.approved", "gate.rejected"],
  ...["error.recovered", "error.escalated"],
  ...["agent.started", "agent.completed", "agent.failed", "agent.reasoned", "agent.reflected"],
  ...["tool.called", "tool.completed", "tool.failed", "memory.recalled", "memory.applied"],
  ...["feedback.outcome", "feedback.reaction", "feedback.human_dismissed", "metric.collected", "production.traced"],
  ...["deployment.rolled_back", "deployment.completed"],
] as const satisfies readonly EventType[];
type CountedEvent = Extract<PlacedEvent, { type: (typeof COUNTED)[number] }>;

/** What is looked at; all other events are passed over where they are read. */
export const COUNTED_TYPES: readonly EventType[] = COUNTED;

const IS_COUNTED: ReadonlySet<string> = new Set(COUNTED);

function isCounted(event: PlacedEvent): event is CountedEvent {
  return IS_COUNTED.has(event.type);
}

/** How a run ends; one that broke off is among those that failed. */
export type RunEnd = Extract<PlacedEvent, { type: "run.completed" }>["payload"]["outcome"];

/** Whether a run that ended came to what was wanted; undefined where nothing was done that could succeed. */
const SUCCEEDED: Readonly<Record<RunEnd, boolean | undefined>> = {
  ...{ approved: true, advisory: true, changes_requested: true, human_required: true, needs_look: true },
  ...{ incomplete: true, skipped: undefined, merged: true, planned: true, nothing_to_do: true },
  ...{ healthy: true, unwatched: true, degraded: false, rolled_back: false, rollback_failed: false, failed: false },
  ...{ refused: undefined, rejected: undefined, superseded: undefined, held: undefined },
};

/** Why Forge rolls back by itself because of what was measured; a step that failed says nothing of the version. */
const BY_ITSELF: ReadonlySet<string> = new Set(["worse", "disaster", "alert"]);

/** Runs, agents and gates that are open at a time; the oldest are forgotten, and count as if nothing had come of them. */
const MOST_OPEN = 5_000;

export type Arm = "with" | "without";

/** What an event adds to what is counted, at the moment of the event (ISO 8601). */
export type Noted = { readonly at: string } & (
  | { readonly is: "metric"; readonly name: MetricName; readonly sum: number; readonly of: number }
  /** The same of a run or a subject that works with memory, or without. */
  | { readonly is: "arm"; readonly name: MetricName; readonly arm: Arm; readonly sum: number }
  | {
      readonly is: "group";
      readonly by: Grouping;
      readonly name: string;
      readonly good: boolean;
      readonly other: number;
    }
  | { readonly is: "cost"; readonly model: string; readonly usd: number }
  /** How a run ended. */
  | { readonly is: "outcome"; readonly name: RunEnd }
);

/**
 * Reads events one after the other, in the order of the log, and says what each adds to the metrics (MET-1, MET-2). What it remembers does not
 * grow with the log.
 */
export function startObserving(note: (noted: Noted) => void): (counted: Counted) => void {
  /** When an agent began that has not called a tool yet, when a gate was opened, and when a run began whose check has no result yet. */
  const agents = boundedMap<string>();
  const gates = boundedMap<string>();
  const begun = boundedMap<string>();
  /** How often runs went back, and what their calls of models cost, USD, since they last failed. */
  const bounces = boundedMap<number>();
  const spent = boundedMap<number>();
  /** What was counted of runs that failed: one that goes on tells all of it again when it is completed. */
  const told = boundedMap<number>();
  /** Whether runs and subjects work with memory, as the start of their runs says. */
  const arms = boundedMap<Arm>();
  /** Where runs deploy to, and when Forge rolled back which version there. */
  const environments = boundedMap<string>();
  const rolledBack = boundedMap<string>();

  return ({ event, kind }) => {
    if (!isCounted(event)) return;
    const { traceId, at } = event;
    const count = (name: MetricName, sum: number, of = 1) => note({ is: "metric", at, name, sum, of });
    const share = (name: MetricName, isHit: boolean) => count(name, isHit ? 1 : 0);
    const apart = (by: Grouping, name: string, good: boolean, other: number) =>
      note({ is: "group", at, by, name, good, other });
    const inArm = (name: MetricName, sum: number) => {
      const arm = arms.get(traceId);
      if (arm !== undefined) note({ is: "arm", at, name, arm, sum });
    };
    switch (event.type) {
      case "run.started": {
        const { subject } = event.payload;
        if (subject.kind === "environment") environments.set(traceId, subjectKey(subject));
        else begun.set(traceId, at);
        const memory = "memory" in event.payload ? event.payload.memory : undefined;
        if (memory !== undefined) for (const log of [traceId, subjectKey(subject)]) arms.set(log, memory);
        return;
      }
      case "run.completed": {
        const { outcome, totals } = event.payload;
        note({ is: "outcome", at, name: outcome });
        const isSuccess = SUCCEEDED[outcome];
        spent.take(traceId);
        const already = told.take(traceId) ?? 0;
        if (isSuccess !== undefined) ended(isSuccess, Math.max(0, totals.costUsd - already));
        return;
      }
      case "run.failed": {
        note({ is: "outcome", at, name: "failed" });
        const costUsd = spent.take(traceId) ?? 0;
        told.set(traceId, (told.get(traceId) ?? 0) + costUsd);
        ended(false, costUsd);
        return;
      }
      case "phase.bounced":
        bounces.set(traceId, (bounces.get(traceId) ?? 0) + 1);
        return;
      case "task.completed":
        share("plan_followed", event.payload.notDone === undefined);
        return;
      case "review.completed":
        count("cost_of_fixed", event.payload.cost?.usd ?? 0, 0);
        count("overridden", 0, 1);
        return;
      case "check.settled": {
        const began = begun.take(traceId);
        // Nothing was looked at.
        if (event.payload.conclusion === "skipped") return;
        if (began !== undefined) count("seconds_to_check", elapsedMs(began, at) / 1000);
        return;
      }
      case "check.overridden":
        count("overridden", 1, 0);
        return;
      case "gate.requested":
        gates.set(`${traceId} ${event.payload.gate}`, at);
        return;
      case "gate.approved":
      case "gate.rejected": {
        const asked = gates.take(`${traceId} ${event.payload.gate}`);
        if (asked !== undefined) count("seconds_to_answer", elapsedMs(asked, at) / 1000);
        return;
      }
      case "error.recovered":
        share("errors_recovered", true);
        return;
      case "error.escalated":
        share("errors_recovered", false);
        return;
      case "agent.started":
        agents.set(event.payload.agent.id, at);
        return;
      case "tool.called": {
        const began = agents.take(event.payload.agentId);
        if (began !== undefined) count("seconds_to_first_tool", elapsedMs(began, at) / 1000);
        return;
      }
      case "tool.completed":
        share("tools_succeeded", true);
        share("arguments_valid", true);
        return;
      case "tool.failed":
        share("tools_succeeded", false);
        share("arguments_valid", !event.payload.code.includes("arguments"));
        return;
      case "agent.completed":
      case "agent.failed": {
        const { agentId, steps, costUsd } = event.payload;
        agents.take(agentId);
        count("steps_of_agent", steps);
        count("dead_end_cost", event.type === "agent.failed" ? costUsd : 0, costUsd);
        return;
      }
      case "agent.reasoned": {
        spent.set(traceId, (spent.get(traceId) ?? 0) + event.payload.costUsd);
        note({ is: "cost", at, model: event.payload.model, usd: event.payload.costUsd });
        return;
      }
      case "agent.reflected":
        count("learnings_of_run", event.payload.learnings, 0);
        return;
      case "memory.recalled":
        count("memories_used", 0, event.payload.items.length);
        return;
      case "memory.applied": {
        const { memoryIds, use } = event.payload;
        if (use === "applied") count("memories_used", memoryIds.length, 0);
        count("memories_right", use === "dismissed" ? 0 : memoryIds.length, memoryIds.length);
        return;
      }
      case "feedback.human_dismissed":
        if (event.payload.seconds !== undefined) count("seconds_to_dismissal", event.payload.seconds);
        return;
      case "feedback.reaction":
        share("thumbs_up", event.payload.is === "up");
        return;
      case "feedback.outcome": {
        const { outcome, suggestion, rule, layer, model } = event.payload;
        if (suggestion !== undefined) share("suggestions_taken", suggestion === "applied");
        // Code that left the change, or cannot be read, says nothing about the finding.
        if (outcome === "outdated" || outcome === "unknown") return;
        share("resolved", outcome === "fixed");
        share("dismissed", outcome === "dismissed");
        inArm("dismissed", outcome === "dismissed" ? 1 : 0);
        count("cost_of_fixed", 0, outcome === "fixed" ? 1 : 0);
        apart("rule", rule, outcome === "fixed", outcome === "dismissed" ? 1 : 0);
        apart("layer", layer, outcome === "fixed", outcome === "dismissed" ? 1 : 0);
        if (model !== undefined) apart("model", model, outcome === "fixed", outcome === "dismissed" ? 1 : 0);
        return;
      }
      case "deployment.rolled_back": {
        const { from, why } = event.payload;
        const environment = environments.get(traceId);
        if (environment === undefined || !BY_ITSELF.has(why)) return;
        count("rollbacks_false", 0);
        rolledBack.set(`${environment} ${from}`, at);
        return;
      }
      case "deployment.completed": {
        const version = `${environments.get(traceId)} ${event.payload.sha}`;
        const backAt = event.payload.outcome === "healthy" ? rolledBack.take(version) : undefined;
        // Of the day of the rollback, whose number it changes.
        if (backAt !== undefined) note({ is: "metric", at: backAt, name: "rollbacks_false", sum: 1, of: 0 });
        return;
      }
      case "production.traced":
        count("production_faults", 1, 0);
        return;
      case "metric.collected": {
        const { reviews, comments, firstPass } = event.payload;
        if (reviews === 0) return;
        count("production_faults", 0, 1);
        share("first_pass", firstPass);
        inArm("first_pass", firstPass ? 1 : 0);
        inArm("rounds_to_merge", reviews);
        share("silent", comments === 0);
        count("rounds_to_merge", reviews);
        return;
      }
      default:
        event satisfies never;
    }

    function ended(isSuccess: boolean, costUsd: number): void {
      share("runs_succeeded", isSuccess);
      count("cost_of_run", costUsd);
      inArm("cost_of_run", costUsd);
      count("learnings_of_run", 0, 1);
      if (kind === undefined) return;
      apart("kind", kind, isSuccess, costUsd);
      if (!KINDS[kind].request) return;
      share("requests_completed", isSuccess);
      const times = bounces.take(traceId) ?? 0;
      count("bounces_of_run", times);
      if (times > 0) share("bounced_and_done", isSuccess);
    }
  };
}

/** Forgets what was put in first when it grows too large: nobody waits for a gate that thousands came after. */
function boundedMap<V>() {
  const map = new Map<string, V>();
  return {
    set: (key: string, value: V) => {
      map.delete(key);
      map.set(key, value);
      const [oldest] = map.keys();
      if (map.size > MOST_OPEN && oldest !== undefined) map.delete(oldest);
    },
    get: (key: string): V | undefined => map.get(key),
    take: (key: string): V | undefined => {
      const value = map.get(key);
      map.delete(key);
      return value;
    },
  };
}
