import { setImmediate } from "node:timers/promises";
import type { EventType } from "../domain/event-catalogue.ts";
import type { PlacedEvent } from "../domain/events.ts";
import type { Grouping, MetricFacts, MetricName, Tally, Trend } from "../domain/metrics.ts";
import type { RunKind } from "../domain/phases.ts";
import { subjectKey } from "../domain/subjects.ts";
import { KINDS } from "../pipeline/kinds.ts";
import { elapsedMs } from "../pipeline/runs/kind.ts";
import { readEventsSince } from "../store/events/read-events.ts";
import type { Store } from "../store/store.ts";

/** An event with what its log belongs to; no kind for the log of a question. */
export interface Counted {
  readonly event: PlacedEvent;
  readonly kind?: RunKind | undefined;
}

const COUNTED = [
  ...["run.started", "run.completed", "run.failed", "phase.bounced", "task.completed", "review.completed"],
  ...["check.overridden", "gate.requested", "gate.approved", "gate.rejected", "error.recovered", "error.escalated"],
  ...["agent.started", "agent.completed", "agent.failed", "agent.reasoned", "agent.reflected"],
  ...["tool.called", "tool.completed", "tool.failed", "memory.recalled", "memory.applied"],
  ...["feedback.outcome", "feedback.reaction", "feedback.human_dismissed", "metric.collected", "production.traced"],
] as const satisfies readonly EventType[];
type CountedEvent = Extract<PlacedEvent, { type: (typeof COUNTED)[number] }>;

/** What is looked at; all other events are passed over where they are read. */
export const COUNTED_TYPES: readonly EventType[] = COUNTED;

const IS_COUNTED: ReadonlySet<string> = new Set(COUNTED);

function isCounted(event: PlacedEvent): event is CountedEvent {
  return IS_COUNTED.has(event.type);
}

type RunOutcome = Extract<PlacedEvent, { type: "run.completed" }>["payload"]["outcome"];

/** Whether a run that ended came to what was wanted; undefined where nothing was done that could succeed. */
const SUCCEEDED: Readonly<Record<RunOutcome, boolean | undefined>> = {
  ...{ approved: true, advisory: true, changes_requested: true, human_required: true, needs_look: true },
  ...{ incomplete: true, skipped: undefined, merged: true, planned: true, nothing_to_do: true },
  ...{ healthy: true, unwatched: true, rolled_back: false, rollback_failed: false, failed: false },
  ...{ refused: undefined, rejected: undefined, superseded: undefined, held: undefined },
};

const WINDOW_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** Names that are counted apart in a grouping; what comes later is one of "others". */
const MOST_NAMES = 200;
/** Runs, agents and gates that are open at a time; the oldest are forgotten, and count as if nothing had come of them. */
const MOST_OPEN = 5_000;

/** When the two windows begin: this one, and the one before it; ISO 8601. */
function windowsUntil(to: string): { readonly from: string; readonly before: string } {
  const back = (days: number) => new Date(Date.parse(to) - days * DAY_MS).toISOString();
  return { from: back(WINDOW_DAYS), before: back(2 * WINDOW_DAYS) };
}

/**
 * Counts events into metrics (MET-1, MET-2), one after the other in the order of the log: what it remembers does not grow with the log. An
 * event that carries a later time than `to` counts as one of now, for a clock may have been set back.
 */
export function startMetrics(to: string) {
  const { from, before } = windowsUntil(to);
  const metrics = new Map<MetricName, Window>();
  const groups = { rule: new Map(), layer: new Map(), model: new Map(), kind: new Map() } as Record<Grouping, Names>;
  /** When an agent began that has not called a tool yet, and when a gate was opened. */
  const agents = boundedMap<string>();
  const gates = boundedMap<string>();
  /** Runs that went back at least once. */
  const bounced = boundedMap<true>();
  /** Whether runs and subjects work with memory, as the start of their runs says. */
  const arms = boundedMap<Arm>();
  const byArm = new Map<MetricName, Record<Arm, { sum: number; of: number }>>();

  function add({ event, kind }: Counted): void {
    if (event.at < before || !isCounted(event)) return;
    const when = event.at >= from ? "now" : "before";
    const count = (name: MetricName, sum: number, of = 1) => tally(windowOf(metrics, name)[when], sum, of);
    const share = (name: MetricName, isHit: boolean) => count(name, isHit ? 1 : 0);
    const { traceId } = event;
    const inArm = (name: MetricName, sum: number) => {
      const arm = arms.get(traceId);
      const tallies = byArm.get(name) ?? { with: { sum: 0, of: 0 }, without: { sum: 0, of: 0 } };
      byArm.set(name, tallies);
      if (arm !== undefined) tally(tallies[arm], sum, 1);
    };
    switch (event.type) {
      case "run.started": {
        const { subject } = event.payload;
        const memory = "memory" in event.payload ? event.payload.memory : undefined;
        if (memory !== undefined) for (const log of [traceId, subjectKey(subject)]) arms.set(log, memory);
        return;
      }
      case "run.completed": {
        const { outcome, totals } = event.payload;
        const isSuccess = SUCCEEDED[outcome];
        if (isSuccess !== undefined) ended(isSuccess, totals.costUsd);
        return;
      }
      case "run.failed":
        ended(false, 0);
        return;
      case "phase.bounced":
        count("bounces_of_run", 1, 0);
        bounced.set(traceId, true);
        return;
      case "task.completed":
        share("plan_followed", event.payload.notDone === undefined);
        return;
      case "review.completed":
        count("cost_of_fixed", event.payload.cost?.usd ?? 0, 0);
        count("overridden", 0, 1);
        return;
      case "check.overridden":
        count("overridden", 1, 0);
        return;
      case "gate.requested":
        gates.set(`${traceId} ${event.payload.gate}`, event.at);
        return;
      case "gate.approved":
      case "gate.rejected": {
        const asked = gates.take(`${traceId} ${event.payload.gate}`);
        if (asked !== undefined) count("seconds_to_answer", elapsedMs(asked, event.at) / 1000);
        return;
      }
      case "error.recovered":
        share("errors_recovered", true);
        return;
      case "error.escalated":
        share("errors_recovered", false);
        return;
      case "agent.started":
        agents.set(event.payload.agent.id, event.at);
        return;
      case "tool.called": {
        const began = agents.take(event.payload.agentId);
        if (began !== undefined) count("seconds_to_first_tool", elapsedMs(began, event.at) / 1000);
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
        const group = groupOf("model", event.payload.model);
        tally(group.cost[when], event.payload.costUsd, 1);
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
        // What left the change, or cannot be read any more, says nothing of the finding.
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
      count("bounces_of_run", 0, 1);
      if (bounced.take(traceId)) share("bounced_and_done", isSuccess);
    }

    function apart(by: Grouping, name: string, isGood: boolean, other: number): void {
      const group = groupOf(by, name);
      tally(group.good[when], isGood ? 1 : 0, 1);
      tally(group.other[when], other, 1);
    }
  }

  function groupOf(by: Grouping, name: string): Group {
    const names = groups[by];
    const known = names.has(name) || names.size < MOST_NAMES ? name : "others";
    const group = names.get(known) ?? { good: emptyWindow(), other: emptyWindow(), cost: emptyWindow() };
    names.set(known, group);
    return group;
  }

  return {
    add,
    result: (): MetricFacts => ({
      ...{ to, from, before },
      arms: [...byArm].map(([name, tallies]) => ({ name, ...tallies })).filter((arm) => arm.without.of > 0),
      metrics: Object.fromEntries([...metrics].filter(([name, window]) => isSampled(name, window))),
      groups: (Object.keys(groups) as Grouping[]).flatMap((by) =>
        [...groups[by]]
          .map(([name, { good, other, cost }]) => ({ by, name, good, other, ...(by === "model" ? { cost } : {}) }))
          .sort(
            (a, b) =>
              b.good.now.of - a.good.now.of || b.good.before.of - a.good.before.of || (a.name < b.name ? -1 : 1),
          ),
      ),
    }),
  };
}

/** What production showed is told also where no change was followed to its merge. */
function isSampled(name: MetricName, { now, before }: Window): boolean {
  return now.of + before.of > 0 || (name === "production_faults" && now.sum + before.sum > 0);
}

type Arm = "with" | "without";
type Window = { readonly [W in keyof Trend]: { sum: number; of: number } };
type Group = { readonly good: Window; readonly other: Window; readonly cost: Window };
type Names = Map<string, Group>;

function emptyWindow(): Window {
  return { now: { sum: 0, of: 0 }, before: { sum: 0, of: 0 } };
}

function windowOf(windows: Map<MetricName, Window>, name: MetricName): Window {
  const window = windows.get(name) ?? emptyWindow();
  windows.set(name, window);
  return window;
}

function tally(counted: { sum: number; of: number }, sum: Tally["sum"], of: Tally["of"]): void {
  counted.sum += sum;
  counted.of += of;
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

/**
 * The metrics of a repository, or of all of them, from the log alone; `to` is now, ISO 8601. Read page by page, so that others have their turn
 * and memory stays bounded.
 */
export async function measure(store: Store, to: string, repositoryId?: number): Promise<MetricFacts> {
  const metrics = startMetrics(to);
  const since = windowsUntil(to).before;
  for await (const page of readEventsSince(store, { since, types: COUNTED_TYPES, repositoryId })) {
    for (const counted of page) metrics.add(counted);
    // A database on this machine answers at once, and would let nobody else have a turn.
    await setImmediate();
  }
  return metrics.result();
}
