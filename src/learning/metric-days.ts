import { setImmediate } from "node:timers/promises";
import type { MetricName } from "../domain/metrics.ts";
import type { Cell, CellKind, Counts } from "./counts.ts";
import { type Counted, type Noted, startObserving } from "./observe-metrics.ts";
import { spreadName } from "./spread.ts";

/** Cells of one day in one repository: names beyond that are counted together as "others". */
const MOST_CELLS = 500;
/** Cells that are added up in one turn: a thousand repositories have millions, and others have their turn in between. */
const CELLS_A_TURN = 20_000;
/** Names that all days and repositories share; above this number the list is emptied and filled again. */
const SHARED_NAMES = 10_000;
/** Of these a few long ones make the mean large: how they are spread is counted as well. */
const IN_SECONDS: ReadonlySet<string> = new Set<MetricName>(["seconds_to_check", "seconds_to_answer"]);
/** Of a log that belongs to no repository. */
const NOWHERE = 0;

type Cells = Map<string, { sum: number; of: number; other: number }>;
const EMPTY: Cell = { sum: 0, of: 0, other: 0 };

/** A day in UTC: "2026-11-23". */
export function dayOf(at: string): string {
  return at.slice(0, 10);
}

/**
 * Counts events by day and repository (MET-1), one after the other in the order of the log, so that any of both can be added up. What it keeps
 * grows with the days on which something happened in a repository, not with the log.
 */
export function startMetricDays() {
  const days = new Map<string, Map<number, Cells>>();
  const shared = new Map<string, string>();
  let repositoryId = NOWHERE;
  const observe = startObserving(note);

  function note(noted: Noted): void {
    const [kind, name, cell] = cellOf(noted);
    tally(noted.at, kind, name, cell);
    if (noted.is === "metric" && IN_SECONDS.has(noted.name) && noted.of === 1)
      tally(noted.at, "spread", spreadName(noted.name, noted.sum), { sum: 0, of: 1, other: 0 });
  }

  function tally(at: string, kind: CellKind, name: string, add: Cell): void {
    const repositories = days.get(dayOf(at)) ?? new Map<number, Cells>();
    days.set(dayOf(at), repositories);
    const cells: Cells = repositories.get(repositoryId) ?? new Map();
    repositories.set(repositoryId, cells);
    const key = sharedKey(`${kind} ${name}`);
    addTo(cells, cells.has(key) || cells.size < MOST_CELLS ? key : sharedKey(`${kind} others`), add);
  }

  function sharedKey(key: string): string {
    const known = shared.get(key);
    if (known !== undefined) return known;
    if (shared.size >= SHARED_NAMES) shared.clear();
    shared.set(key, key);
    return key;
  }

  return {
    add: (counted: Counted & { readonly repositoryId?: number | undefined }): void => {
      repositoryId = counted.repositoryId ?? NOWHERE;
      observe(counted);
    },
    /** Days before this one are forgotten. */
    forget: (before: string): void => {
      for (const day of days.keys()) if (day < before) days.delete(day);
    },
    /** From one day to another, both included, of some repositories, or of all and of what belongs to none. */
    sum: async (from: string, to: string, repositoryIds?: readonly number[]): Promise<Counts> => {
      const total: Cells = new Map();
      let left = CELLS_A_TURN;
      for (const [day, repositories] of days) {
        if (day < from || day > to) continue;
        for (const id of repositoryIds ?? repositories.keys()) {
          const cells = repositories.get(id);
          for (const [key, cell] of cells ?? []) addTo(total, key, cell);
          left -= 1 + (cells?.size ?? 0);
          if (left > 0) continue;
          await setImmediate();
          left = CELLS_A_TURN;
        }
      }
      return countsOf(total);
    },
  };
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

function addTo(cells: Cells, key: string, { sum, of, other }: Cell): void {
  const cell = cells.get(key);
  if (cell === undefined) cells.set(key, { sum, of, other });
  else {
    cell.sum += sum;
    cell.of += of;
    cell.other += other;
  }
}

function countsOf(cells: Cells): Counts {
  return {
    of: (kind, name) => cells.get(`${kind} ${name}`) ?? EMPTY,
    names: (kind) =>
      [...cells]
        .filter(([key]) => key.startsWith(`${kind} `))
        .map(([key, cell]) => ({ ...cell, name: key.slice(kind.length + 1) }))
        .sort((a, b) => b.of - a.of || (a.name < b.name ? -1 : 1)),
  };
}
