import { z } from "zod";

/**
 * What is measured (MET-1, MET-2), with what the numbers are: a share ("14 of 18"), or a mean of so many. `goal`: where there is one, the bound
 * that is aimed at, and `below` where less is better.
 */
export const METRICS = {
  resolved: { is: "share" },
  dismissed: { is: "share" },
  suggestions_taken: { is: "share" },
  thumbs_up: { is: "share" },
  first_pass: { is: "share" },
  silent: { is: "share" },
  rounds_to_merge: { is: "mean", unit: "count" },
  runs_succeeded: { is: "share" },
  requests_completed: { is: "share", goal: 0.9 },
  cost_of_run: { is: "mean", unit: "usd" },
  cost_of_fixed: { is: "mean", unit: "usd" },
  seconds_to_check: { is: "mean", unit: "seconds" },
  seconds_to_answer: { is: "mean", unit: "seconds" },
  seconds_to_dismissal: { is: "mean", unit: "seconds" },
  overridden: { is: "share" },
  steps_of_agent: { is: "mean", unit: "count", goal: 7, below: true },
  tools_succeeded: { is: "share" },
  arguments_valid: { is: "share", goal: 0.98 },
  seconds_to_first_tool: { is: "mean", unit: "seconds", goal: 5, below: true },
  bounces_of_run: { is: "mean", unit: "count" },
  bounced_and_done: { is: "share" },
  plan_followed: { is: "share", goal: 0.8 },
  errors_recovered: { is: "share", goal: 0.8 },
  dead_end_cost: { is: "mean", unit: "part", goal: 0.1, below: true },
  learnings_of_run: { is: "mean", unit: "count" },
  memories_used: { is: "share" },
  memories_right: { is: "share" },
  production_faults: { is: "share" },
  rollbacks_false: { is: "share" },
} as const satisfies Record<
  string,
  ({ is: "share" } & { goal?: number; below?: true }) | { is: "mean"; unit: string; goal?: number; below?: true }
>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as [MetricName, ...MetricName[]];

/** `sum` of `of`: hits of a share, or what a mean is made of. Never told without `of`. */
export const Tally = z.object({ sum: z.number(), of: z.number().nonnegative() });
export type Tally = z.infer<typeof Tally>;

/** The same in this window and in the one before it. */
export const Trend = z.object({ now: Tally, before: Tally });
export type Trend = z.infer<typeof Trend>;

/** By what outcomes of findings are counted apart. */
export const GROUPINGS = ["rule", "layer", "model", "kind"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const MetricFacts = z.object({
  /** ISO 8601: end of this window, its beginning, and that of the window before. */
  to: z.string(),
  from: z.string(),
  before: z.string(),
  /** Those that have a sample in either window. */
  metrics: z.partialRecord(z.enum(METRIC_NAMES), Trend),
  /** The same of runs with memory and of those without, in both windows together: what memory is worth (MEM-6). */
  arms: z.array(z.object({ name: z.enum(METRIC_NAMES), with: Tally, without: Tally })).optional(),
  /** Of findings whose outcome is known, how many were fixed, and how many dismissed; `kind` is that of runs, with those that succeeded. */
  groups: z.array(
    z.object({
      by: z.enum(GROUPINGS),
      name: z.string(),
      good: Trend,
      /** Dismissed; of a kind of run: what its runs cost, USD. */
      other: Trend,
      /** Of a model: what its answered calls cost, USD. */
      cost: Trend.optional(),
    }),
  ),
});
export type MetricFacts = z.infer<typeof MetricFacts>;
