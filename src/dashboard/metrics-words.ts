import type { MetricName } from "../domain/metrics.ts";
import { meanText, whole } from "../github/words/command/metrics-text.ts";
import { count } from "../github/words/wording.ts";
import type { Cell } from "../learning/metric-days.ts";

/** From so many on, a share is also told in percent: one more would change that of fewer by ten points and more. */
const ENOUGH = 10;

/** The page of the metrics. */
export const METRICS_WORDS = {
  title: "Metrics",
  period: "Period",
  days: (days: number) => `${days} days`,
  /** `from`, `to`: days. */
  what: (from: string, to: string) =>
    `${from} to ${to}, in days of UTC, in the repositories that you see here. Each number says how many cases it rests on; "before" is the same number of days before.`,
  none: {
    what: "There is nothing to count yet: no review, no work on an issue and no deployment of these days came to an end.",
    next: "The numbers begin with the first pull request that Forge reviews.",
  },
  before: "before:",
  fewCases: (of: number) => `Only ${whole(of)}: one more can change this a lot.`,
  table: (what: string) => `Table: ${what}`,
  day: "Days",
  mean: "Mean",
  cases: "Cases",
  nothing: "none",
};

/** A day for the end of an axis: "Nov 23". */
export function dayText(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
}

/** One day or several: "Nov 23", "Nov 17 to Nov 23". */
export function daysText({ from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`;
}

/** "14 of 18 (78 %)"; of few without the percentage. */
export function shareText({ sum, of }: Pick<Cell, "sum" | "of">): string {
  if (of === 0) return METRICS_WORDS.nothing;
  return `${whole(sum)} of ${whole(of)}${of < ENOUGH ? "" : ` (${Math.round((sum / of) * 100)} %)`}`;
}

/** "3 min, of 12 reviews". `one`: what is counted. */
export function meanOfText(unit: "usd" | "seconds" | "count", { sum, of }: Pick<Cell, "sum" | "of">, one: string) {
  return of === 0 ? METRICS_WORDS.nothing : `${meanText(unit, sum / of)}, of ${count(of, one)}`;
}

/** What is to be said of a number that rests on few cases. */
export function fewText({ of }: Pick<Cell, "of">): string | undefined {
  return of > 0 && of < ENOUGH ? METRICS_WORDS.fewCases(of) : undefined;
}

/** A label on an axis of counts; empty between whole numbers. */
export function wholeText(number: number): string {
  return Number.isInteger(number) ? whole(number) : "";
}

interface ShareWords {
  readonly title: string;
  readonly what?: string;
  /** Those that are in the share, those that are not, and what both are. */
  readonly hit: string;
  readonly rest: string;
  readonly of: string;
}

/** Shares over time. */
export const SHARES = {
  first_pass: {
    title: "First review asked for nothing",
    what: "Of merged pull requests that Forge had reviewed.",
    hit: "Asked for nothing",
    rest: "Asked for something",
    of: "pull requests",
  },
} as const satisfies Partial<Record<MetricName, ShareWords>>;

interface MeanWords {
  readonly title: string;
  readonly what?: string;
  /** One of what the mean is of. */
  readonly one: string;
}

/** Means over time. */
export const MEANS = {
  cost_of_run: {
    title: "Cost of a run",
    what: "What models cost, as a mean of runs that came to an end.",
    one: "run",
  },
} as const satisfies Partial<Record<MetricName, MeanWords>>;
