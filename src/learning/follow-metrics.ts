import { setImmediate } from "node:timers/promises";
import { areMarked, followEvents, type LogMark, lastMark, placeBefore } from "../store/events/follow-events.ts";
import type { Store } from "../store/store.ts";
import type { Counts } from "./counts.ts";
import { dayOf, MOST_CELLS_KEPT, startMetricDays } from "./metric-days.ts";
import { COUNTED_TYPES } from "./observe-metrics.ts";

const DAY_MS = 24 * 3_600_000;
/** The longest period of a report, in days. A report also has the period before it. */
export const MOST_DAYS = 90;
const KEPT_DAYS = 2 * MOST_DAYS;

export interface ReportAsked {
  /** Repositories whose numbers are in the report; undefined: all of them. */
  readonly repositoryIds?: readonly number[] | undefined;
  readonly now: Date;
  /** Days of the period, today (UTC) included: up to `MOST_DAYS`. */
  readonly days: number;
  /** Days of one piece of the report. */
  readonly step: number;
}

/** Some days together. `from`, `to`: the first and the last of them, in UTC. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly counts: Counts;
}

/** What was counted in a period, piece by piece, and in as many days before it. */
export interface MetricsReport {
  readonly pieces: readonly Stretch[];
  readonly now: Stretch;
  readonly before: Stretch;
  /** The first day that is counted, where what is older does not fit into memory and the period or the one before it begins earlier. */
  readonly since?: string;
}

/** The metrics of this Forge, up to date at each report. */
export interface FollowedMetrics {
  report(asked: ReportAsked): Promise<MetricsReport>;
  /** Starts to read where nothing was read yet, so that the first report need not wait for all of it. */
  prepare(now: Date): void;
}

/**
 * Follows the whole log: the first report reads the days that can be asked for, each later one what was stored since. Another process may have
 * written it.
 * @param mostCells that are kept in memory: see `startMetricDays`
 */
export function followMetrics(store: Store, mostCells = MOST_CELLS_KEPT): FollowedMetrics {
  let days = startMetricDays(mostCells);
  let mark: LogMark | undefined;
  /** The last event that was counted of each repository. */
  let marks = new Map<number | undefined, LogMark>();
  let reading: Promise<void> | undefined;

  function startAgain(): void {
    days = startMetricDays(mostCells);
    mark = undefined;
    marks = new Map();
  }

  async function catchUp(now: Date): Promise<void> {
    const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
    // What was deleted with its installation is not counted. At the end of the log its places may belong to other events now.
    if (mark && !(await areMarked(store, [mark, ...marks.values()]))) startAgain();
    const last = await lastMark(store);
    if (!last || last.id === mark?.id) return;
    const after = mark?.place ?? (await placeBefore(store, oldest));
    for await (const page of followEvents(store, { after, upTo: last.place, types: COUNTED_TYPES })) {
      for (const event of page) {
        days.add(event);
        marks.set(event.repositoryId, event.mark);
      }
      // A database on this machine answers at once, and would let nobody else have a turn.
      await setImmediate();
    }
    mark = last;
    days.forget(dayOf(oldest));
  }

  /** Up to the end of the log as it is when this is called: what reads already may have looked for the end before. */
  async function read(now: Date): Promise<void> {
    if (reading) await reading.catch(() => {});
    await begin(now);
  }

  function begin(now: Date): Promise<void> {
    reading ??= catchUp(now)
      .catch((error: unknown) => {
        // Half of a page may be counted.
        startAgain();
        throw error;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  return {
    prepare: (now) => {
      // A report says what went wrong: it reads again.
      if (mark === undefined) void begin(now).catch(() => {});
    },
    report: async ({ repositoryIds, now, days: length, step }) => {
      await read(now);
      // While it is added up, another report may begin to count again.
      const counted = days;
      const stretch = async (from: number, to: number): Promise<Stretch> => {
        const [first, last] = [dayAt(now, from), dayAt(now, to)];
        // A clock that was set back: what carries a later time is of today.
        return { from: first, to: last, counts: await counted.sum(first, to === 0 ? "9999" : last, repositoryIds) };
      };
      const pieces: Stretch[] = [];
      for (let end = 0; end < length; end += step) pieces.unshift(await stretch(Math.min(length, end + step) - 1, end));
      const before = await stretch(2 * length - 1, length);
      const since = counted.since() ?? "";
      return { pieces, now: await stretch(length - 1, 0), before, ...(since > before.from ? { since } : {}) };
    },
  };
}

function dayAt(now: Date, ago: number): string {
  return dayOf(new Date(now.getTime() - ago * DAY_MS).toISOString());
}
