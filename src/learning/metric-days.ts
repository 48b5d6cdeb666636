import { setImmediate } from "node:timers/promises";
import type { MetricName } from "../domain/metrics.ts";
import type { Cell, CellKind, Counts } from "./counts.ts";
import { addTo, type Cells, type PackedDay, packDay } from "./metric-cells.ts";
import { countsOf, OTHERS, startNames } from "./metric-names.ts";
import { type Counted, type Noted, startObserving } from "./observe-metrics.ts";
import { spreadName } from "./spread.ts";

/** Cells of one day in one repository: names beyond that are counted together as "others". */
const MOST_CELLS = 500;
/** Cells of all days and repositories: about 100 MB. Beyond, the oldest day is forgotten. */
export const MOST_CELLS_KEPT = 3_000_000;
/** Days that can be added to without unpacking them: at midnight the events of several workers come in any order. */
const OPEN_DAYS = 2;
/** Cells that are added up in one turn: a thousand repositories have millions, and others have their turn in between. */
const CELLS_A_TURN = 20_000;
/** Of these a few long ones make the mean large: how they are spread is counted as well. */
const IN_SECONDS: ReadonlySet<string> = new Set<MetricName>(["seconds_to_check", "seconds_to_answer"]);
/** Of a log that belongs to no repository. */
const NOWHERE = 0;

/** A day in UTC: "2026-11-23". */
export function dayOf(at: string): string {
  return at.slice(0, 10);
}

/** What one day has: packed, and what came since it was packed. */
interface Day {
  packed?: PackedDay;
  open: Map<number, Cells>;
}

/**
 * Counts events by day and repository (MET-1), one after the other in the order of the log, so that any of both can be added up. What it keeps
 * grows with the days on which something happened in a repository, not with the log, and has a limit in all.
 * @param most cells that are kept
 */
export function startMetricDays(most = MOST_CELLS_KEPT) {
  const days = new Map<string, Day>();
  /** The days that were added to last, the latest of them at the end. */
  let opened: string[] = [];
  const names = startNames();
  let kept = 0;
  let since = "";
  let repositoryId = NOWHERE;
  const observe = startObserving(note);

  function note(noted: Noted): void {
    const day = dayOf(noted.at);
    if (day < since) return;
    const [kind, name, cell] = cellOf(noted);
    tally(day, kind, name, cell);
    if (noted.is === "metric" && IN_SECONDS.has(noted.name) && noted.of === 1)
      tally(day, "spread", spreadName(noted.name, noted.sum), { sum: 0, of: 1, other: 0 });
    while (kept > most && days.size > 1) forgetOldest();
  }

  function tally(date: string, kind: CellKind, name: string, add: Cell): void {
    const day = openDay(date);
    const cells: Cells = day.open.get(repositoryId) ?? new Map();
    day.open.set(repositoryId, cells);
    const number = names.numberOf(kind, name);
    const isKnown = cells.has(number) || day.packed?.has(repositoryId, number) || cells.size < MOST_CELLS;
    if (addTo(cells, isKnown ? number : names.numberOf(kind, OTHERS), add)) kept += 1;
  }

  function openDay(date: string): Day {
    const day = days.get(date) ?? { open: new Map() };
    days.set(date, day);
    if (opened.at(-1) === date) return day;
    opened = [...opened.filter((other) => other !== date), date];
    if (opened.length > OPEN_DAYS) pack(days.get(opened.shift()!));
    return day;
  }

  function pack(day: Day | undefined): void {
    if (!day) return;
    kept -= day.packed?.cells ?? 0;
    for (const id of day.packed?.repositories ?? []) {
      const cells: Cells = day.open.get(id) ?? new Map();
      kept -= cells.size;
      day.packed?.addTo(cells, id);
      kept += cells.size;
      day.open.set(id, cells);
    }
    day.packed = packDay(day.open);
    day.open = new Map();
  }

  function forgetOldest(): void {
    const oldest = [...days.keys()].reduce((a, b) => (a < b ? a : b));
    forgetDay(oldest);
    since = [...days.keys()].reduce((a, b) => (a < b ? a : b));
  }

  function forgetDay(date: string): void {
    const day = days.get(date);
    if (!day) return;
    kept -= (day.packed?.cells ?? 0) + [...day.open.values()].reduce((all, { size }) => all + size, 0);
    days.delete(date);
    opened = opened.filter((other) => other !== date);
  }

  return {
    add: (counted: Counted & { readonly repositoryId?: number | undefined }): void => {
      repositoryId = counted.repositoryId ?? NOWHERE;
      observe(counted);
    },
    /** Days before this one are forgotten. */
    forget: (before: string): void => {
      for (const date of [...days.keys()]) if (date < before) forgetDay(date);
    },
    /** The first day that is counted, where older ones had to be forgotten for their number of cells. */
    since: (): string | undefined => since || undefined,
    /** From one day to another, both included, of some repositories, or of all and of what belongs to none. */
    sum: async (from: string, to: string, repositoryIds?: readonly number[]): Promise<Counts> => {
      const total: Cells = new Map();
      let left = CELLS_A_TURN;
      for (const [date, day] of days) {
        if (date < from || date > to) continue;
        for (const id of repositoryIds ?? repositoriesOf(day)) {
          left -= 1 + addDay(total, day, id);
          if (left > 0) continue;
          await setImmediate();
          left = CELLS_A_TURN;
        }
      }
      return countsOf(total, names.all);
    },
  };
}

function repositoriesOf({ packed, open }: Day): Iterable<number> {
  return new Set([...(packed?.repositories ?? []), ...open.keys()]);
}

/** Adds what a repository has on a day; returns the number of its cells. */
function addDay(total: Cells, { packed, open }: Day, repositoryId: number): number {
  const cells = open.get(repositoryId);
  for (const [name, cell] of cells ?? []) addTo(total, name, cell);
  return (cells?.size ?? 0) + (packed?.addTo(total, repositoryId) ?? 0);
}

function cellOf(noted: Noted): readonly [kind: CellKind, name: string, cell: Cell] {
  switch (noted.is) {
    case "metric":
      return ["metric", noted.name, { sum: noted.sum, of: noted.of, other: 0 }];
    case "arm":
      return [noted.arm, noted.name, { sum: noted.sum, of: 1, other: 0 }];
    case "group":
      return [noted.by, noted.name, { sum: noted.good ? 1 : 0, of: 1, other: noted.other }];
    case "cost":
      return ["cost", noted.model, { sum: noted.usd, of: 1, other: 0 }];
    case "outcome":
      return ["outcome", noted.name, { sum: 1, of: 1, other: 0 }];
    default:
      return noted satisfies never;
  }
}
