import { setImmediate } from "node:timers/promises";
import type { Grouping, MetricFacts, MetricName, Tally, Trend } from "../domain/metrics.ts";
import { readEventsSince } from "../store/events/read-events.ts";
import type { Store } from "../store/store.ts";
import { type Arm, COUNTED_TYPES, type Counted, type Noted, startObserving } from "./observe-metrics.ts";

const WINDOW_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** Names that are counted apart in a grouping; what comes later is one of "others". */
const MOST_NAMES = 200;

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
  const byArm = new Map<MetricName, Record<Arm, { sum: number; of: number }>>();
  const observe = startObserving(note);

  function add(counted: Counted): void {
    if (counted.event.at >= before) observe(counted);
  }

  function note(noted: Noted): void {
    const when = noted.at >= from ? "now" : "before";
    switch (noted.is) {
      case "metric":
        tally(windowOf(metrics, noted.name)[when], noted.sum, noted.of);
        return;
      case "arm": {
        const tallies = byArm.get(noted.name) ?? { with: { sum: 0, of: 0 }, without: { sum: 0, of: 0 } };
        byArm.set(noted.name, tallies);
        tally(tallies[noted.arm], noted.sum, 1);
        return;
      }
      case "group": {
        const group = groupOf(noted.by, noted.name);
        tally(group.good[when], noted.good ? 1 : 0, 1);
        tally(group.other[when], noted.other, 1);
        return;
      }
      case "cost":
        tally(groupOf("model", noted.model).cost[when], noted.usd, 1);
        return;
      case "outcome":
        return;
      default:
        noted satisfies never;
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
