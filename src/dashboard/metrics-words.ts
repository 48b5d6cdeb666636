import type { MetricName } from "../domain/metrics.ts";
import { meanText, whole } from "../github/words/command/metrics-text.ts";
import { count, duration } from "../github/words/wording.ts";
import type { Cell } from "../learning/counts.ts";
import type { RunEnd } from "../learning/observe-metrics.ts";

/** From so many on, a share is also told in percent: one more would change that of fewer by ten points and more. */
const ENOUGH = 10;

/** The page of the metrics. */
export const METRICS_WORDS = {
  title: "Metrics",
  period: "Period",
  choose: "Choose a repository",
  repository: "Repository",
  all: "All that you see",
  show: "Show",
  days: (days: number) => `${days} days`,
  /** `from`, `to`: days. */
  what: (from: string, to: string) =>
    `${from} to ${to}, in days of UTC. Each number says how many cases it rests on; "before" is the same number of days before.`,
  since: (day: string) =>
    `What was before ${day} is not counted: it does not fit into the memory that Forge keeps for it.`,
  none: {
    what: "There is nothing to count yet: no review, no work on an issue and no deployment of these days came to an end.",
    next: "The numbers begin with the first pull request that Forge reviews.",
  },
  before: "before:",
  fewCases: (of: number) => `Only ${whole(of)}: one more can change this a lot.`,
  nothingHere: "Nothing was counted in these days.",
  table: (what: string) => `Table: ${what}`,
  day: "Days",
  mean: "Mean",
  cases: "Cases",
  nothing: "none",
  bar: "Bar",
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

/** How times are spread, in seconds; `of`: how many there are. Undefined for fewer than three, and without the longest ones for few. */
export function spreadText(half: number, most: number, of: number): string | undefined {
  if (of < 3) return undefined;
  const rest = of < ENOUGH ? "" : `, and nine of ten less than ${duration(most * 1000)}`;
  return `This is the mean. At least half took less than ${duration(half * 1000)}${rest}.`;
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
  rollbacks_false: {
    title: "False rollbacks",
    what: "Of rollbacks that Forge started by itself because of what it measured: those whose version was deployed there again and was healthy.",
    hit: "Healthy later",
    rest: "Not deployed again, or not healthy",
    of: "rollbacks",
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
  seconds_to_check: {
    title: "Time to the result of a review",
    what: "From the start of a review until its check has a result on GitHub. Time in which the review waited for a person is part of it.",
    one: "review",
  },
  seconds_to_answer: {
    title: "Time until a person answered a gate",
    what: "Gates that nobody answered are not part of it.",
    one: "gate",
  },
  cost_of_run: {
    title: "Cost of a run",
    what: "What models cost, as a mean of runs that came to an end. Runs that failed count with the calls that were answered.",
    one: "run",
  },
  bounces_of_run: {
    title: "Times that work went back",
    what: "How often work on an issue went back to an earlier phase, as a mean of the runs that ended.",
    one: "run",
  },
} as const satisfies Partial<Record<MetricName, MeanWords>>;

/** What became of findings. */
export const FINDINGS = {
  title: "Findings when their pull request was merged",
  what: "Findings whose code left the change are not counted.",
  fixed: "Fixed",
  dismissed: "Dismissed",
  left: "Left",
  said: (fixed: number, dismissed: number, of: number) =>
    `${whole(fixed)} fixed, ${whole(dismissed)} dismissed, of ${count(of, "finding")}`,
};

/** Precision by what a finding came from. */
export const PRECISION = {
  layer: { title: "Precision by layer", one: "Layer" },
  rule: { title: "Precision by rule", one: "Rule" },
  model: { title: "Precision by model", one: "Model" },
} as const;
export const PRECISION_WORDS = {
  what: "Findings that nobody dismissed, of those whose outcome was known when their pull request was merged.",
  kept: "Not dismissed",
  more: (names: number, findings: number) => `${whole(names)} more, with ${count(findings, "finding")}, are not shown.`,
};

/** How runs ended. */
export const ENDS = {
  title: "How runs ended",
  one: "End",
  runs: "Runs",
  before: "Before",
  words: {
    approved: "Approved",
    advisory: "Reviewed, without a verdict",
    changes_requested: "Changes requested",
    human_required: "Needs a person",
    needs_look: "Needs a look",
    incomplete: "Incomplete",
    skipped: "Skipped",
    merged: "Merged",
    planned: "Planned",
    nothing_to_do: "Nothing to do",
    healthy: "Deployed and healthy",
    unwatched: "Deployed, not watched",
    degraded: "Deployed, and worse than before",
    rolled_back: "Rolled back",
    rollback_failed: "Rollback failed",
    failed: "Failed",
    refused: "Deployment refused",
    rejected: "Deployment rejected",
    superseded: "Replaced by a later version",
    held: "Not deployed: someone objected",
  } satisfies Record<RunEnd, string>,
};

/** Runs with memory next to runs without it. */
export const MEMORY = {
  title: "Runs with memory and without",
  what: "One pull request or issue in ten works without memory, so that the use of memory can be measured. Its number decides which.",
  metric: "Metric",
  with: "With memory",
  without: "Without memory",
  said: (given: number, without: number) => `${count(given, "run")} with memory, ${whole(without)} without`,
};

/** Every metric, as a table. */
export const ALL_METRICS = {
  title: "All metrics",
  metric: "Metric",
  now: "These days",
  before: "Before",
  goal: "Goal",
};

/** Units of the axis of a time, by seconds. */
const TIMES = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** In what an axis is written whose largest value is this one: what its values are divided by, and how the result is written. */
export function axisOf(
  unit: "usd" | "seconds" | "count",
  most: number,
): { readonly by: number; readonly written: (value: number) => string } {
  if (unit !== "seconds") return { by: 1, written: (value) => (value === 0 ? "0" : meanText(unit, value)) };
  const [by, called] = TIMES.find(([seconds]) => most >= 2 * seconds) ?? [1, "s"];
  return { by, written: (value) => (value === 0 ? "0" : `${value.toLocaleString("en-US")} ${called}`) };
}
